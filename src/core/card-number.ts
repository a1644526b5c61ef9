// What looks like the number of a card. Not every sixteen digits do: orders and accounts have
// numbers as well.

/** As the networks issue them; no other number is taken for a card's. */
const ISSUED = /^(?:3[0-9]\d{12,17}|4\d{12,18}|5[0-8]\d{11,17}|6\d{12,18}|2[2-7]\d{14})$/

const RUN = /(?<!\d)\d(?:[ .-]?\d){12,18}(?!\d)/g

/** As they stand on cards: 4-4-4-4, up to three more at the end; 4-6-5 and 4-6-4. */
const GROUPED =
  /(?<!\d)(?:\d{4}([ .-])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ .-])\d{6}\2\d{4,5})(?!\d)/g

/** Anywhere in a text that people write: however its digits are grouped, or not. */
export function holdsCardNumber(text: string): boolean {
  return [...plain(text).matchAll(RUN)].some(([digits]) => isCardNumber(digits))
}

/** In a value that may be anything: only where its digits are grouped like a card's. */
export function holdsGroupedCardNumber(text: string): boolean {
  return [...plain(text).matchAll(GROUPED)].some(([digits]) => isCardNumber(digits))
}

function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ .-]/g, '')
  return ISSUED.test(digits) && isLuhn(digits)
}

/** The check digit that all of them have. */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits[digits.length - 1 - i])
    const weighed = i % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}

/** Digits, spaces and dashes of every script as those of ASCII; what cannot be seen left out. */
function plain(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text
  return text
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s/gu, ' ')
}
