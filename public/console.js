// The script of every console page. It asks before actions that cannot be undone, and copies values
// that are shown once. On a phone the navigation is wider than the screen, so it scrolls to the
// current page.

const here = document.querySelector('.bar nav [aria-current]')
if (here !== null) {
  const nav = here.closest('nav')
  const [one, all] = [here, nav].map((element) => element.getBoundingClientRect())
  // scrollIntoView would move the page as well.
  nav.scrollLeft += one.left - all.left - (all.width - one.width) / 2
}

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
