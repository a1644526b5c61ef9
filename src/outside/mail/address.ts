// Addresses as they are handed to a mail server: one is one, and names nobody else.

import { domainToASCII } from 'node:url'

export interface Sender {
  readonly name: string
  readonly address: string
  /** As it stands in the ids of messages. */
  readonly domain: string
}

/**
 * Without quotes, brackets, separators, spaces or what cannot be seen: each of them is read as more
 * than one address, or as another one, by somebody on the way.
 */
const LOCAL_PART = /^[^\s\p{Z}\p{C}"(),:;<>@[\\\]]+$/u

const DOMAIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u

/** A domain that ends in a number would be read as an address of the network. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\p{N}+|0x[\da-f]*)$/iu

export function isOneAddress(text: string): boolean {
  const at = text.indexOf('@')
  const domain = text.slice(at + 1)
  return (
    LOCAL_PART.test(text.slice(0, Math.max(at, 0))) &&
    DOMAIN.test(domain) &&
    !ENDS_IN_NUMBER.test(domain)
  )
}

/** The sender as the settings have it: an address, or a name and an address in angle brackets. */
export function readSender(from: string): Sender {
  const [, name = '', inBrackets] = /^([^<]*)<([^>]*)>$/.exec(from.trim()) ?? []
  const address = inBrackets ?? from.trim()
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return {
    name: name.replace(/["\\]/g, '').trim(),
    address,
    domain: domainToASCII(domain) || 'localhost',
  }
}
