// What every page of the console does by script: asks before what cannot be undone, and copies what is
// shown once. In a hand the bar is wider than the screen: it begins where one is.

const here = document.querySelector('.bar nav [aria-current]')
if (here !== null) {
  const nav = here.closest('nav')
  const [one, all] = [here, nav].map((element) => element.getBoundingClientRect())
  // Not into view, which would move the page as well.
  nav.scrollLeft += one.left - all.left - (all.width - one.width) / 2
}

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
      // Without leave to write there: the reader finds it selected.
      window.getSelection().selectAllChildren(source)
      button.textContent = 'Selected: press Ctrl C'
    }
    setTimeout(() => {
      button.textContent = words
    }, 2_000)
  })
}
