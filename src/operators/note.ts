// Notes and reasons of operators. They are kept forever, in the audit log and some in events.

import { holdsCardNumber } from '../core/card-number.ts'

export const LONGEST_NOTE = 200

const API_KEY = /\bsk_(?:live|sandbox)_[\w-]{8,}/

/** Why a note must not be kept. Undefined if it may be. */
export function noteFault(note: string): string | undefined {
  if ([...note].length > LONGEST_NOTE) return `Use ${LONGEST_NOTE} characters at most.`
  if (API_KEY.test(note)) return 'Don’t enter an API key here.'
  return holdsCardNumber(note) ? 'Don’t enter the number of a card here.' : undefined
}
