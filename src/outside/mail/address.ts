// The sender of mails, as the settings have it.

import { domainToASCII } from 'node:url'

export interface MailSender {
  readonly name: string
  readonly address: string
  /** The domain of the ids of messages. */
  readonly domain: string
}

/** The sender as the settings have it: an address, or a name and an address in angle brackets. */
export function readMailSender(from: string): MailSender {
  const [, name = '', inBrackets] = /^([^<]*)<([^>]*)>$/.exec(from.trim()) ?? []
  const address = inBrackets ?? from.trim()
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return {
    name: name.replace(/["\\]/g, '').trim(),
    address,
    domain: domainToASCII(domain) || 'localhost',
  }
}
