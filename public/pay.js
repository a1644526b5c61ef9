// The script of payers' pages. It sends a card to the gateway and its token to us, and polls for
// the outcome of a payment. A card number exists only in this page and at the gateway.

const main = document.querySelector('main')
/** The gateway's own fields, on pages of live accounts. */
const hosted = window.hosted
/** What the script says, in the language of the page. */
const texts = JSON.parse(main.dataset.texts ?? '{}')
const word = (name) => texts[name] ?? ''
/** The next page stays in the language that the payer chose on this one. */
const [, chosen] = /[?&](lang=[a-z]{2})(?![^&])/i.exec(location.search) ?? []
const REMEMBERED = `lamplighter ${main.dataset.subject}`

/** Between two digits such a character separates thousands or nothing: 12 50 is no 1250. */
const ODD_GAP = /\d[\s'’]+(?!\d{3}(?!\d))\d|\d[\s'’]*\$[\s'’$]*\d/

/** Milliseconds between two polls, and between two tries to reach the service. */
const LOOKS = [1000, 1500, 2000, 3000, 5000, 10000]
const TRIES = [500, 1500, 3000]

/**
 * An outcome that is known is remembered this long: its page may be slow to come, or may go on to
 * the seller's page at once, without this script.
 */
const SHOWN_WITHIN_MS = 60_000
const SHOWN_AGAIN_WITHIN_MS = 5_000

/** A payment that is open for longer is no mistake of the payer, who may make another one. */
const OPEN_WITHIN_MS = 5 * 60_000

/**
 * A payment that was sent and whose outcome this browser has not shown: its nonce, and, once it is
 * known to have arrived, until when it is remembered, and `open` if its outcome is not known.
 */
const unfinished = memory('localStorage', REMEMBERED)

/** What the reloaded page says: why the payment was refused, unless it says the same itself. */
const kept = memory('sessionStorage', `said ${location.pathname}`)

/** A text that the browser keeps. Works without storage if the browser has none. */
function memory(place, key) {
  const use = (act) => {
    try {
      return act(window[place])
    } catch {
      return null
    }
  }
  return {
    get: () => use((storage) => storage.getItem(key)),
    set: (text) => use((storage) => storage.setItem(key, text)),
    clear: () => use((storage) => storage.removeItem(key)),
  }
}

function reloadSaying({ title, message }) {
  kept.set(JSON.stringify([title, message]))
  location.reload()
}

function sayKept() {
  const said = JSON.parse(kept.get())
  kept.clear()
  if (said === null) return
  const [error, message = ''] = said
  if (main.textContent.includes(message)) return
  const known = document.getElementById('said')
  const place =
    known ?? Object.assign(document.createElement('p'), { className: 'fault', tabIndex: -1 })
  place.setAttribute('role', 'alert')
  if (known === null) main.prepend(place)
  place.textContent = `${error}. ${message}`
  place.hidden = false
  place.focus()
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Without an entry in the history: going back leads to where the payer came from. */
function goTo(path) {
  location.replace(chosen === undefined ? path : `${path}?${chosen}`)
}

async function stateAt(address) {
  const answer = await fetch(address, { headers: { accept: 'application/json' } })
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  return (await answer.json()).state
}

function postJson(address, body) {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    // The answer may have words for the payer.
    'accept-language': document.documentElement.lang,
  }
  return fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })
}

// ------------------------------------------------------------------------- a payment under way

async function watch() {
  let isAnswered = hosted === undefined
  for (let looks = 0; ; looks += 1) {
    if (!isAnswered) isAnswered = await hosted.answerBank().catch(() => false)
    await pause(LOOKS[Math.min(looks, LOOKS.length - 1)])
    const state = await stateAt(location.pathname).catch(() => 'processing')
    if (state === 'processing') continue
    unfinished.clear()
    location.reload()
    return
  }
}

// ------------------------------------------------------------------------- what is typed

const BRANDS = [
  ['Visa', /^4/],
  ['Mastercard', /^(5[1-5]|2[2-7])/],
  ['American Express', /^3[47]/],
  ['Discover', /^(6011|65|64[4-9])/],
  ['Diners Club', /^3(0[0-5]|[68])/],
  ['JCB', /^35/],
]

const digitsOf = (text) => text.replace(/\D/g, '')
const brandOf = (digits) => BRANDS.find(([, form]) => form.test(digits))?.[0] ?? ''

function grouped(digits) {
  const groups = /^3[47]/.test(digits) ? /^(\d{1,4})(\d{1,6})?(\d{1,5})?/ : /(\d{1,4})/g
  const parts = groups.global ? digits.slice(0, 19).match(groups) : digits.match(groups)?.slice(1)
  return (parts ?? []).filter(Boolean).join(' ')
}

function expiry(text) {
  const [month = '', year] = text.includes('/') ? text.split('/').map(digitsOf) : [digitsOf(text)]
  const whole = year === undefined ? month : month.padStart(2, '0') + year.slice(-2)
  const digits = /^[2-9]/.test(whole) ? `0${whole}` : whole
  return digits.length > 2 ? `${digits.slice(0, 2)} / ${digits.slice(2, 4)}` : digits
}

/** Formats the text and keeps the caret behind the same digit. */
function keepForm(input, format) {
  input.addEventListener('input', (event) => {
    if (event.inputType?.startsWith('delete')) return
    const before = digitsOf(input.value.slice(0, input.selectionStart ?? 0)).length
    const wasAtEnd = input.selectionStart === input.value.length
    input.value = format(input.value)
    if (wasAtEnd) return
    let caret = 0
    for (let seen = 0; seen < before && caret < input.value.length; caret += 1) {
      if (/\d/.test(input.value[caret])) seen += 1
    }
    input.setSelectionRange(caret, caret)
  })
}

/** Checks the check digit, which most typing errors break. */
function isCardNumber(digits) {
  if (digits.length < 12 || digits.length > 19) return false
  const sum = [...digits].reverse().reduce((all, digit, i) => {
    const twice = Number(digit) * (1 + (i % 2))
    return all + (twice > 9 ? twice - 9 : twice)
  }, 0)
  return sum % 10 === 0
}

function expiryFault(text) {
  const [, month, year] = /^(0[1-9]|1[0-2])(\d\d)$/.exec(digitsOf(text)) ?? []
  if (month === undefined) return word('expWrong')
  const now = new Date()
  const isPast = 2000 + Number(year) < now.getFullYear()
  const isThisYear = 2000 + Number(year) === now.getFullYear()
  // Valid through the end of its month, in every time zone.
  return isPast || (isThisYear && Number(month) < now.getMonth()) ? word('expired') : ''
}

/** By the server's rule. Undefined if the text is not an amount. */
function decimalOf(text) {
  const typed = text.replace(/[\s\u00a0\u202f'’$]/g, '')
  // One separator followed by three digits may be thousands or a typing error.
  if (/^\d{1,3}[.,]\d{3}$/.test(typed) || ODD_GAP.test(text)) return undefined
  const [, whole, mark, decimals = ''] =
    /^(\d+|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+)(?:([.,])(\d{1,2}))?$/.exec(typed) ?? []
  if (whole === undefined || (mark && whole.includes(mark))) return undefined
  const digits = digitsOf(whole).replace(/^0+(?=\d)/, '')
  const decimal = `${digits}.${decimals.padEnd(2, '0')}`
  return digits.length > 8 || Number(decimal) === 0 ? undefined : decimal
}

// ------------------------------------------------------------------------- paying

function takePayments(form) {
  const field = (id) => document.getElementById(id)
  const [send, said, progress] = ['send', 'said', 'progress'].map(field)
  const { path, tokens, about, locale, currency, amount } = form.dataset
  const money = new Intl.NumberFormat(locale, { style: 'currency', currency })
  let { nonce } = form.dataset
  let isSending = false
  let made

  const isByBank = () => field('by-bank')?.checked === true
  const amountOf = () => amount ?? decimalOf(field('amount').value)

  // ------------------------------------------------ what is wrong

  function tell(id, fault) {
    const input = field(id)
    const place = field(`${id}-fault`)
    if (place === null) return
    place.textContent = fault
    place.hidden = fault === ''
    if (fault === '') input.removeAttribute('aria-invalid')
    else input.setAttribute('aria-invalid', 'true')
  }

  function say(words) {
    said.textContent = words
    said.hidden = words === ''
    if (words !== '') said.focus()
  }

  /** True if there are faults; the first of these fields gets the focus. */
  function showFaults(faults) {
    const wrong = Object.entries(faults).filter(([, fault]) => fault !== '')
    for (const [id, fault] of wrong) tell(id, fault)
    const [first] = wrong.map(([id]) => field(id)).filter((input) => input !== null)
    first?.focus()
    return wrong.length > 0
  }

  /** The gateway's own fields say themselves what is wrong in them. */
  function instrumentFaults() {
    if (hosted !== undefined) return {}
    const byCard = {
      number: isCardNumber(digitsOf(field('number').value))
        ? ''
        : digitsOf(field('number').value) === ''
          ? word('numberMissing')
          : word('numberWrong'),
      exp: expiryFault(field('exp').value),
      cvc: /^\d{3,4}$/.test(field('cvc').value.trim()) ? '' : word('cvcWrong'),
    }
    const byBank = {
      routing: digitsOf(field('routing').value).length === 9 ? '' : word('routingWrong'),
      account: /^\d{4,17}$/.test(digitsOf(field('account').value)) ? '' : word('accountWrong'),
    }
    return isByBank() ? byBank : byCard
  }

  function faultsOf() {
    const email = field('email').value.trim()
    return {
      ...(amountOf() === undefined ? { amount: word('amountWrong') } : {}),
      ...instrumentFaults(),
      name:
        field('name').value.trim() === ''
          ? isByBank()
            ? word('accountNameMissing')
            : word('cardNameMissing')
          : '',
      email: email === '' || /^[^\s@]+@[^\s@]+$/.test(email) ? '' : word('emailWrong'),
    }
  }

  // ------------------------------------------------ how it goes

  function setBusy(words) {
    isSending = words !== ''
    send.setAttribute('aria-busy', String(isSending))
    send.setAttribute('aria-disabled', String(isSending))
    progress.textContent = words
    if (isSending) send.textContent = words
    else showAmount()
  }

  function showAmount() {
    const decimal = amountOf()
    send.textContent =
      decimal === undefined
        ? word('pay')
        : word('payAmount').replace('{}', () => money.format(decimal))
  }

  function instrument() {
    return isByBank()
      ? {
          method: 'bank',
          bank_routing: digitsOf(field('routing').value),
          bank_account: digitsOf(field('account').value),
        }
      : {
          method: 'card',
          card_number: digitsOf(field('number').value),
          card_exp: digitsOf(field('exp').value),
          card_cvv: field('cvc').value.trim(),
        }
  }

  async function hostedToken() {
    const [name, email] = ['name', 'email'].map((id) => field(id).value.trim())
    const { id, words } = await hosted.token({ name, email })
    if (id === undefined) say(words)
    return id
  }

  /** The same card gets only one token. */
  async function tokenOf() {
    if (hosted !== undefined) return hostedToken()
    const sent = JSON.stringify({ ...JSON.parse(about), ...instrument() })
    if (made?.sent === sent) return made.token
    const answer = await postJson(tokens, JSON.parse(sent))
    const body = await answer.json()
    if (body.token !== undefined) {
      made = { sent, token: body.token }
      return body.token
    }
    if (body.reload) reloadSaying(body)
    else if (body.faults === undefined || !showFaults(body.faults)) say(wordsOf(body))
    return undefined
  }

  const wordsOf = ({ message }) => message ?? word('wentWrong')

  /** All requests under one nonce are one payment, so a request without an answer is repeated. */
  async function pay(body) {
    for (let tries = 0; ; tries += 1) {
      try {
        return await postJson(path, body)
      } catch (error) {
        if (tries === TRIES.length) throw error
        await pause(TRIES[tries])
      }
    }
  }

  async function submit() {
    const token = await tokenOf()
    if (token === undefined) return setBusy('')
    unfinished.set(nonce)
    const [name, email] = ['name', 'email'].map((id) => field(id).value.trim())
    const answer = await pay({ nonce, token, amount: amountOf(), name, email })
    const body = await answer.json()
    if (body.next !== undefined) {
      if (body.state === 'processing') rememberOpen(nonce)
      else unfinished.set(`${nonce} ${Date.now() + SHOWN_WITHIN_MS}`)
      return goTo(body.next)
    }
    // Too many tries: an earlier one may have arrived although its answer was lost.
    if (answer.status < 500 && answer.status !== 429) unfinished.clear()
    if (body.reload) return reloadSaying(body)
    made = undefined
    setBusy('')
    if (body.faults === undefined || !showFaults(body.faults)) say(wordsOf(body))
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending) return
    say('')
    if (showFaults(faultsOf())) return
    setBusy(word('paying'))
    submit().catch(() => {
      setBusy('')
      say(word('notReached'))
    })
  })

  // ------------------------------------------------ how the form behaves

  for (const input of form.querySelectorAll('input')) {
    input.addEventListener('input', () => tell(input.id, ''))
  }
  if (hosted === undefined) {
    keepForm(field('number'), (text) => grouped(digitsOf(text)))
    keepForm(field('exp'), expiry)
    field('number').addEventListener('input', () => {
      field('brand').textContent = brandOf(digitsOf(field('number').value))
    })
  }
  field('amount')?.addEventListener('input', () => {
    showAmount()
    hosted?.setAmount(amountOf())
  })
  for (const radio of form.querySelectorAll('[name=by]')) {
    radio.addEventListener('change', () => {
      for (const part of form.querySelectorAll('[data-by]')) {
        part.hidden = part.dataset.by !== (isByBank() ? 'bank' : 'card')
      }
    })
  }
  for (const button of form.querySelectorAll('[data-card]')) {
    button.addEventListener('click', () => {
      field('by-card').click()
      const soon = String(new Date().getFullYear() + 3).slice(-2)
      const filled = { number: button.dataset.card, exp: `12 / ${soon}`, cvc: '123' }
      for (const [id, value] of Object.entries(filled)) {
        field(id).value = value
        field(id).dispatchEvent(new Event('input'))
      }
      if (field('name').value === '') field('name').value = 'Ada Lovelace'
      field('name').focus()
    })
  }

  function rememberOpen(open, until = Date.now() + OPEN_WITHIN_MS) {
    unfinished.set(`${open} ${until} open`)
  }

  /** A payment was sent from here and its outcome never shown: continue it under its own nonce. */
  async function resume(earlier, until, isOpen) {
    const address = `${path}/${earlier}`
    setBusy(word('looking'))
    let state = await stateOf(address)
    // The request may still be on its way.
    for (let tries = 0; isUnknown(state) && tries < TRIES.length; tries += 1) {
      await pause(TRIES[tries])
      state = await stateOf(address)
    }
    setBusy('')
    if (isUnknown(state)) {
      nonce = earlier
      if (state !== undefined) say(word('notArrived'))
      return undefined
    }
    if (state === 'processing') rememberOpen(earlier, isOpen ? until : undefined)
    else {
      const known = isOpen ? undefined : until
      unfinished.set(`${earlier} ${known ?? Date.now() + SHOWN_AGAIN_WITHIN_MS}`)
    }
    goTo(address)
    // The page is left: nothing on it may be used meanwhile.
    return new Promise(() => {})
  }

  /** Undefined if the service does not say. */
  const stateOf = (address) => stateAt(address).catch(() => undefined)
  const isUnknown = (state) => state === undefined || state === 'unknown'

  function resumed() {
    const [earlier = '', until, open] = (unfinished.get() ?? '').split(' ')
    if (!/^[0-9a-f]{32}$/.test(earlier)) return Promise.resolve()
    if (until === undefined || Date.now() < Number(until))
      return resume(earlier, until, open !== undefined)
    unfinished.clear()
    return Promise.resolve()
  }

  const ready = resumed()
  ready
    .then(async () => {
      if (amount === undefined) showAmount()
      await hosted?.mount('#hosted', { amount: amountOf(), currency })
      // The payer may have entered another amount meanwhile.
      hosted?.setAmount(amountOf())
      send.disabled = false
    })
    .catch(() => say(word('noFields')))
}

const printing = document.getElementById('print')
if (printing !== null) {
  printing.hidden = false
  printing.addEventListener('click', () => window.print())
}

const form = document.getElementById('pay')
if (form !== null) takePayments(form)
else if (main.dataset.state === 'processing') watch()
else unfinished.clear()
sayKept()
