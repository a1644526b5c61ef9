// The cursors of a list that is read page by page.

import { NamedError } from '../../core/named-error.ts'

class RepeatedPage extends NamedError {}

/**
 * Returns a check of each cursor before it is used. A gateway, or a cache before it, that repeats a
 * page would be read for ever, and what is on the page would be counted twice.
 */
export function newCursors(): (cursor: string) => void {
  const used = new Set<string>()
  return (cursor) => {
    if (used.has(cursor)) throw new RepeatedPage(`the gateway repeats the page after ${cursor}`)
    used.add(cursor)
  }
}
