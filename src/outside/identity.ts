// New ids: UUIDs of version 7, made by us, so that a row's id is known before the row is written.

import { v7 } from 'uuid'

export function newId(): string {
  return v7()
}
