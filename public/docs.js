// The script of the reference: one language for all programs, which is remembered, copies of them,
// and a filter of the operations. Without it every program is shown, and the contents are whole.

const REMEMBERED = 'lamplighter docs language'
const root = document.documentElement

/** Works without storage if the browser has none. */
function stored(use) {
  try {
    return use(window.localStorage)
  } catch {
    return null
  }
}

// Before the page is drawn, so that nothing moves while it is read.
const LANGUAGES = { curl: 'curl', javascript: 'JavaScript', python: 'Python' }
const remembered = stored((storage) => storage.getItem(REMEMBERED))
root.dataset.language = Object.hasOwn(LANGUAGES, remembered ?? '') ? remembered : 'curl'

document.addEventListener('DOMContentLoaded', () => {
  for (const samples of document.querySelectorAll('.samples')) samples.prepend(choiceOf(samples))
  markChosen()
  filterContents()
})

// ------------------------------------------------------------------------- programs

function choiceOf(samples) {
  const choice = document.createElement('div')
  choice.className = 'choice'
  for (const [language, name] of Object.entries(LANGUAGES)) {
    const button = buttonOf(name, () => choose(language, button))
    button.dataset.chooses = language
    choice.append(button)
  }
  const copy = buttonOf('Copy', () => copyProgram(samples, copy))
  copy.classList.add('copy')
  choice.append(copy)
  return choice
}

function buttonOf(text, press) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.addEventListener('click', press)
  return button
}

function choose(language, button) {
  const before = button.getBoundingClientRect().top
  root.dataset.language = language
  stored((storage) => storage.setItem(REMEMBERED, language))
  markChosen()
  // The programs above may have become shorter or longer.
  window.scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' })
}

function markChosen() {
  for (const button of document.querySelectorAll('[data-chooses]')) {
    button.setAttribute('aria-pressed', button.dataset.chooses === root.dataset.language)
  }
}

async function copyProgram(samples, button) {
  const program = samples.querySelector(`.${root.dataset.language} code`)
  try {
    await navigator.clipboard.writeText(program.textContent)
    button.textContent = 'Copied'
  } catch {
    // Without permission to use the clipboard, the text is selected instead.
    window.getSelection().selectAllChildren(program)
    button.textContent = 'Selected: press Ctrl C'
  }
  setTimeout(() => {
    button.textContent = 'Copy'
  }, 2_000)
}

// ------------------------------------------------------------------------- contents

const wordsIn = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

function filterContents() {
  const [contents, field] = ['.contents', '#filter'].map((one) => document.querySelector(one))
  const operations = [...contents.querySelectorAll('[data-operation]')].map((item) => {
    const link = item.querySelector('a')
    // The anchor is the method and the path.
    return { item, words: wordsIn(`${link.textContent} ${link.hash}`) }
  })

  function filter() {
    const asked = wordsIn(field.value)
    contents.classList.toggle('filtering', asked.length > 0)
    for (const item of contents.querySelectorAll('[data-found]')) delete item.dataset.found
    const found = operations.filter(({ words }) =>
      asked.every((part) => words.some((word) => word.startsWith(part))),
    )
    for (const { item } of found) {
      item.dataset.found = ''
      item.parentElement.closest('li').dataset.found = ''
    }
    const count = found.length === 1 ? '1 operation' : `${found.length} operations`
    document.querySelector('#filtered').textContent = asked.length > 0 ? count : ''
  }

  field.parentElement.hidden = false
  field.addEventListener('input', filter)
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Enter') contents.querySelector('[data-operation][data-found] a')?.click()
  })
  document.addEventListener('keydown', (event) => {
    const { key, target, altKey, ctrlKey, metaKey } = event
    if (key !== '/' || altKey || ctrlKey || metaKey) return
    if (target.closest('input, textarea, select') !== null) return
    event.preventDefault()
    const menu = document.querySelector('.menu')
    menu.open = true
    field.focus()
    field.select()
  })
  // On a phone the contents would stay open above the operation that was chosen.
  contents.addEventListener('click', (event) => {
    if (event.target.closest('a') !== null) document.querySelector('.menu').open = false
  })
  // The browser may have kept what was typed, when it came back to the page.
  filter()
}
