// What an address must look like to be an endpoint at all.

const WEB_ADDRESS = /^https?:\/\/[^/\\?#]/i
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u

const NO_ADDRESS = 'must be an http or https address'

export function targetFormFault(text: string): string | undefined {
  if (!WEB_ADDRESS.test(text) || SPACE_OR_CONTROL.test(text)) return NO_ADDRESS
  if (!text.isWellFormed() || !URL.canParse(text)) return NO_ADDRESS
  const { username, password } = new URL(text)
  if (username !== '' || password !== '') return 'must not hold a user or a password'
  return text.includes('#') ? 'must not have a fragment' : undefined
}
