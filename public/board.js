// Bull Board's page within the console: names for its buttons that have only an icon, which a screen
// reader could not tell apart. What the board draws is named as soon as it is there.

const NAMES = {
  '.rds-b1': 'Details of the store',
  '.lucide-maximize': 'Full screen',
  '.lucide-settings': 'Settings',
  '.lucide-corner-up-left': 'Promote',
  '.lucide-refresh-cw': 'Retry',
  '.lucide-trash-2': 'Remove',
  '.lucide-copy': 'Copy',
  '.lucide-ellipsis-vertical': 'Actions',
}

function nameButtons() {
  for (const button of document.querySelectorAll('button:not([aria-label])')) {
    // What is drawn: an icon may have a style element.
    if (button.innerText.trim() !== '') continue
    const [, name] = Object.entries(NAMES).find(([icon]) => button.querySelector(icon)) ?? []
    if (name === undefined) continue
    button.setAttribute('aria-label', name === 'Actions' ? `Actions on ${subjectOf(button)}` : name)
    // The buttons of the header show nothing under the mouse either.
    if (button.closest('header') !== null) button.title = name
    if (name === 'Remove') button.classList.toggle('not-offered', isNextRun(button))
  }
}

/** The queue of a card, or that of the page. */
function subjectOf(button) {
  const card = button.closest('li')?.querySelector('a[href*="/queue/"]')
  return (card ?? document.querySelector('header h1'))?.textContent ?? 'all queues'
}

/** The next run of a recurring job goes only together with its schedule, which is refused. */
function isNextRun(button) {
  const card = button.closest('[class*="card-"]')
  const isOfSchedule =
    location.pathname.includes('/repeat%3A') || card?.querySelector('a[href*="/repeat%3A"]')
  return Boolean(isOfSchedule) && card?.querySelector('.lucide-corner-up-left') != null
}

/** A name must contain what is to be read: speech input asks for it by that. */
function keepText() {
  for (const link of document.querySelectorAll('a[aria-label][href*="job-schedulers?"]')) {
    link.removeAttribute('aria-label')
  }
  for (const button of document.querySelectorAll(
    'main button[aria-label], header button[aria-label]',
  )) {
    const [label, text] = [button.getAttribute('aria-label'), button.innerText.trim()]
    if (!label.includes(text)) button.setAttribute('aria-label', `${text}: ${label}`)
  }
}

function hideDecoration() {
  for (const icon of document.querySelectorAll(
    'svg[role="img"]:not([aria-label], [aria-hidden])',
  )) {
    icon.setAttribute('aria-hidden', 'true')
  }
}

function dress() {
  nameButtons()
  keepText()
  hideDecoration()
}

new MutationObserver(dress).observe(document.body, { childList: true, subtree: true })
dress()
