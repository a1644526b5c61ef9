// Checks whether an address may be an endpoint, by its form and by the addresses that it resolves
// to.

import { wrongField } from '../core/errors.ts'
import type { World } from '../world.ts'

export async function checkTarget(world: World, targetUrl: string): Promise<void> {
  const fault = await world.endpoints.faultOf(targetUrl)
  if (fault !== undefined) throw wrongField('target_url', fault)
}

const WEB_ADDRESS = /^https?:\/\/[^/\\?#]/i
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u

const NO_ADDRESS = 'must be an http or https address'

const MOST_LABEL_CHARACTERS = 63
const MOST_HOST_CHARACTERS = 253

const HOST_TOO_LONG =
  `must have a host name of at most ${MOST_HOST_CHARACTERS} characters, ` +
  `and ${MOST_LABEL_CHARACTERS} between two dots`

export function targetFormFault(text: string): string | undefined {
  if (!WEB_ADDRESS.test(text) || SPACE_OR_CONTROL.test(text)) return NO_ADDRESS
  if (!text.isWellFormed() || !URL.canParse(text)) return NO_ADDRESS
  const { hostname, username, password } = new URL(text)
  if (username !== '' || password !== '') return 'must not hold a user or a password'
  if (isTooLong(hostname)) return HOST_TOO_LONG
  return text.includes('#') ? 'must not have a fragment' : undefined
}

/** DNS has no such name, so no event could ever be sent there. The name is ASCII by now. */
function isTooLong(hostname: string): boolean {
  const name = hostname.replace(/\.$/, '')
  const isLong = ({ length }: string) => length > MOST_LABEL_CHARACTERS
  return name.length > MOST_HOST_CHARACTERS || name.split('.').some(isLong)
}
