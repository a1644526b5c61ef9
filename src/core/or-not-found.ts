// What a request names, or its refusal.

import { Refusal } from './errors.ts'

export function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new Refusal('not_found')
  return found
}

/** For rows that stay when they are deleted, because others refer to them. */
export function undeleted<T extends { readonly deletedAt: Date | null }>(
  row: T | undefined,
): T | undefined {
  return row?.deletedAt === null ? row : undefined
}
