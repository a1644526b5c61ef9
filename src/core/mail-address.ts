// An e-mail address: one is one, and names nobody else. Whether it exists only a delivery can tell.

/**
 * Without quotes, brackets, separators, spaces or what cannot be seen: each of them is read as more
 * than one address, or as another one, by somebody on the way.
 */
const LOCAL_PART = /^[^\s\p{Z}\p{C}"(),:;<>@[\\\]]{1,64}$/u

const DOMAIN = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u

/** A domain that ends in a number would be read as an address of the network. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\p{N}+|0x[\da-f]*)$/iu

/** Marks that show nothing of themselves stand between letters, and are letters to some. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/u

/** Longer ones no mail server takes. */
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
