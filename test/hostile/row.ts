// A row of the table of expensive requests.

import type { Bounds, Sent } from './ask.ts'
import type { Ids } from './scene.ts'

export interface Row {
  readonly what: string
  readonly send: (ids: Ids) => readonly Sent[]
  /** All of them at the same moment; otherwise one after the other. */
  readonly atOnce?: boolean
  /** A longer limit for the one request; the probe never has one. */
  readonly requestMs?: Bounds['requestMs']
}

export function post(path: string, body: Sent['body']): Sent {
  return { method: 'POST', path, ...(body === undefined ? {} : { body }) }
}

export function form(path: string, body: string): Sent {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', path, headers, body }
}

export function query(path: string, parameters: Readonly<Record<string, string>>): Sent {
  return { path: `${path}?${new URLSearchParams(parameters)}` }
}

export function zeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0)
}
