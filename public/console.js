// The script of every console page. It asks before actions that cannot be undone, copies values,
// says instants in local time, and knows a few keys.

const find = document.getElementById('find')

/** To the link of another row of the first list. */
function moveBy(rows) {
  const links = [...document.querySelectorAll('main tbody tr')].flatMap((row) => {
    const link = row.querySelector('a')
    return link === null ? [] : [link]
  })
  const here = links.findIndex((link) => link.closest('tr').contains(document.activeElement))
  const next = here === -1 && rows < 0 ? links.length - 1 : here + rows
  links[Math.max(0, Math.min(links.length - 1, next))]?.focus()
}

const KEYS = {
  '/': () => {
    find.focus()
    find.select()
  },
  j: () => moveBy(1),
  k: () => moveBy(-1),
  '?': () => document.getElementById('keyboard').togglePopover(),
}

document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event
  if (!Object.hasOwn(KEYS, key) || altKey || ctrlKey || metaKey || find === null) return
  if (target.closest('input, textarea, select') !== null) return
  event.preventDefault()
  KEYS[key]()
})

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

/** By the clock of the service: that of this machine may be wrong. */
const openedMs = performance.now()
const askedMs = Date.parse(document.documentElement.dataset.now)

function nowMs() {
  return Number.isNaN(askedMs) ? Date.now() : askedMs + performance.now() - openedMs
}

/** `3 minutes ago`. */
function spanFromNow(instant) {
  const seconds = Math.round((instant.getTime() - nowMs()) / 1_000)
  const [unit, size] = UNITS.find(([, one]) => Math.abs(seconds) >= 2 * one) ?? UNITS.at(-1)
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(seconds / size), unit)
}

document.addEventListener('pointerover', ({ target }) => {
  const shown = target.closest?.('time[datetime]')
  if (!shown) return
  const instant = new Date(shown.dateTime)
  if (!Number.isNaN(instant.getTime())) {
    // A sandbox clock stands or runs ahead: between its time and the real one lies no span.
    const isSandbox = shown.closest('[data-clock]')?.dataset.clock === 'sandbox'
    const span = isSandbox ? 'sandbox time' : spanFromNow(instant)
    shown.title = `${instant.toLocaleString()} (local), ${span}`
  }
})

/** `$1,250.00`, read as the service reads what is typed. Undefined if it is no amount. */
function amountText(typed) {
  const digits = typed
    .trim()
    .replace(/^\$\s*/, '')
    .replace(/,(?=\d{3}(?:[,.]|$))/g, '')
  if (!/^(0|[1-9]\d{0,7})(\.\d{1,2})?$/.test(digits) || Number(digits) === 0) return undefined
  return `$${Number(digits).toLocaleString('en-US', { minimumFractionDigits: 2 })}`
}

const NO_AMOUNT = 'Enter an amount such as 12.50, up to 99,999,999.99.'

for (const form of document.querySelectorAll('form[data-asks]')) {
  const { total } = form.elements
  form.addEventListener('submit', (event) => {
    const amount = total === undefined ? '' : amountText(total.value)
    total?.setCustomValidity(amount === undefined ? NO_AMOUNT : '')
    const question = form.dataset.asks.replace('{total}', () => amount)
    if (!form.reportValidity() || !window.confirm(question)) event.preventDefault()
  })
  total?.addEventListener('input', () => total.setCustomValidity(''))
}

/** Longer than a double click, and than most answers take. */
const SENT_MS = 10_000

/** When each form was sent. */
const sentAt = new WeakMap()

// A second click would act twice, and its page would replace one that shows a secret once.
document.addEventListener('submit', (event) => {
  const { defaultPrevented, target: form } = event
  if (defaultPrevented || form.method !== 'post') return
  if (performance.now() - (sentAt.get(form) ?? -SENT_MS) < SENT_MS) return event.preventDefault()
  sentAt.set(form, performance.now())
  keepTyped(form)
})

// Back on a page that the browser has kept, its forms can be sent again.
window.addEventListener('pageshow', () => {
  for (const form of document.forms) sentAt.delete(form)
})

/** Undefined before the sign-in. */
const operator = document.querySelector('.operator > a')?.textContent
const TYPED = 'typed'

/** Works without storage if the browser has none. */
function stored(use) {
  try {
    return use(window.sessionStorage)
  } catch {
    return null
  }
}

const store = (sent) => stored((storage) => storage.setItem(TYPED, JSON.stringify(sent)))

/** No secret is kept, nor what the page has filled in itself. */
function isTyped({ name, type, autocomplete }) {
  const isOwn = /^(hidden|password|file|submit|button)$/.test(type)
  return name !== '' && !isOwn && autocomplete !== 'one-time-code'
}

/** What differs from the form as the page had it: another operator may have changed the rest. */
function changesOf(form) {
  return [...form.elements].filter(isTyped).flatMap((field) => {
    const { name, value, type, checked, defaultChecked, defaultValue, options } = field
    if (/^(checkbox|radio)$/.test(type)) {
      return checked === defaultChecked ? [] : [{ name, value, checked }]
    }
    const chosen = [...(options ?? [])].find((option) => option.defaultSelected) ?? options?.[0]
    return value === (chosen?.value ?? defaultValue) ? [] : [{ name, value }]
  })
}

function keepTyped(form) {
  if (operator === undefined) return
  store({ operator, to: form.getAttribute('action'), changes: changesOf(form) })
}

/** If the session has ended, what was typed is in the form again after the sign-in. */
function restoreTyped() {
  const sent = JSON.parse(stored((storage) => storage.getItem(TYPED)))
  if (sent === null) return
  if (operator === undefined) return store({ ...sent, isRefused: true })
  stored((storage) => storage.removeItem(TYPED))
  const form = [...document.forms].find((one) => one.getAttribute('action') === sent.to)
  const isOurs = sent.isRefused === true && sent.operator === operator && sent.changes.length > 0
  if (!isOurs || form === undefined) return
  for (const { name, value, checked } of sent.changes) {
    const isMeant = (one) => one.name === name && (checked === undefined || one.value === value)
    const field = [...form.elements].find(isMeant)
    if (field !== undefined) Object.assign(field, checked === undefined ? { value } : { checked })
  }
  const note = Object.assign(document.createElement('p'), { className: 'note', tabIndex: -1 })
  note.textContent = 'Your session had ended, so this was not sent. What you typed is here again.'
  form.prepend(note)
  note.focus()
}

restoreTyped()

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
