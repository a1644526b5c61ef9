// Lists an account's events. The columns are named as in the API.

import { declareList } from '../db/declared-list.ts'

export const EVENTS = declareList({
  table: 'event',
  alias: 'e',
  filters: {
    type: 'e.type = $value',
    resource_id: 'e.resource_id = lower($value)',
    from: 'e.created_at >= $value',
    before: 'e.created_at < $value',
  },
  sorts: { created_at: 'e.created_at' },
  columns: 'e.id, e.type, e.resource_id, e.sequence, e.created_at, e.snapshot AS data',
  view: (row) => row,
})
