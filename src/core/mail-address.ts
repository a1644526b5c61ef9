// Checks that a text is exactly one e-mail address. Only a delivery can show whether it exists.

import { domainToASCII } from 'node:url'

/**
 * Excludes quotes, brackets, separators, spaces and invisible characters. Some mail software reads
 * each of them as a second address, or as a different one.
 */
const LOCAL_PART = /^[^\s\p{Z}\p{C}"(),:;<>@[\\\]]{1,64}$/u

const DOMAIN = /^(?!.*\.\.)[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u

/** A domain that ends in a number could be read as a network address. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\p{N}+|0x[\da-f]*)$/iu

/** Invisible marks may stand between letters, and some software takes them for letters. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u

/** No mail server accepts longer addresses. */
const MOST_CHARACTERS = 320

export function isOneAddress(text: string): boolean {
  if (text.length > MOST_CHARACTERS || UNSEEN.test(text) || !text.isWellFormed()) return false
  const at = text.indexOf('@')
  const domain = text.slice(at + 1)
  return (
    LOCAL_PART.test(text.slice(0, Math.max(at, 0))) &&
    DOMAIN.test(domain) &&
    !ENDS_IN_NUMBER.test(domain)
  )
}

/**
 * One spelling for all spellings of an address, or of a phone number. Mail hosts compare domains
 * without regard to case, and in practice mailboxes too.
 */
export function addressKey(address: string): string {
  const plain = address.trim().normalize('NFC').toLowerCase()
  const at = plain.lastIndexOf('@')
  const domain = plain.slice(at + 1)
  return at < 0 ? plain : plain.slice(0, at + 1) + (domainToASCII(domain) || domain)
}

/** `a…@example.com`: its owner recognizes it, and other readers learn little. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const [first = ''] = address
  return `${at > 1 ? first : ''}…${address.slice(Math.max(at, 0))}`
}
