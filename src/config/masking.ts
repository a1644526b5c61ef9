// Shows the values of settings in faults and in the log, and hides secrets.

/** Our keys, Stripe's and webhook secrets have prefixes; Twilio's tokens have only a form. */
const LOOKS_SECRET = /(sk|rk|pk|whsec)_|[0-9a-f]{32}/i

/** Enough to recognize a value by, and one line of a terminal at most. */
const SHOWN_CHARACTERS = 60

export function hiddenValue(): string {
  return 'a value that is not shown'
}

/**
 * Shows a setting that is no secret. It may still hold a secret that was put into the wrong place.
 */
export function visible(text: string): string {
  if (LOOKS_SECRET.test(text)) return hiddenValue()
  if (text.includes('://') && text.includes('@')) return masked(text)
  const characters = [...text]
  const isLong = characters.length > SHOWN_CHARACTERS
  return JSON.stringify(isLong ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…` : text)
}

/**
 * Shows the scheme of an address, and its host only if that is certainly the host: an unescaped
 * `/`, `?`, `#` or `@` in a password makes the rest of the password look like a host or a path.
 */
export function masked(text: string): string {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0]
  if (scheme === undefined || LOOKS_SECRET.test(scheme)) return hiddenValue()
  const host = certainHost(text)
  return JSON.stringify(host === undefined ? `${scheme}***` : `${scheme}***@${host}/***`)
}

function certainHost(text: string): string | undefined {
  if (text.split('@').length !== 2 || !URL.canParse(text)) return undefined
  const { username, password, hostname } = new URL(text)
  return username + password === '' || hostname === '' ? undefined : hostname
}
