// The script of every console page. It asks before actions that cannot be undone, and copies values
// that are shown once.

const find = document.getElementById('find')
document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event
  if (key !== '/' || altKey || ctrlKey || metaKey || find === null) return
  if (target.closest('input, textarea, select') !== null) return
  event.preventDefault()
  find.focus()
  find.select()
})

for (const form of document.querySelectorAll('form[data-asks]')) {
  form.addEventListener('submit', (event) => {
    const amount = form.elements.total?.value.replace(/^[\s$]+/, '')
    const question = form.dataset.asks.replace('{total}', () => `$${amount}`)
    if (!window.confirm(question)) event.preventDefault()
  })
}

for (const button of document.querySelectorAll('button[data-copies]')) {
  const words = button.textContent
  button.addEventListener('click', async () => {
    const source = document.getElementById(button.dataset.copies)
    try {
      await navigator.clipboard.writeText(source.textContent)
      button.textContent = 'Copied'
    } catch {
      // Without permission to use the clipboard, the text is selected instead.
      window.getSelection().selectAllChildren(source)
      button.textContent = 'Selected: press Ctrl C'
    }
    setTimeout(() => {
      button.textContent = words
    }, 2_000)
  })
}
