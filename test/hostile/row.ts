// A row of the table of expensive requests.

import type { Bounds, HostileRequest } from './ask.ts'
import type { Ids } from './hostile-setup.ts'

export interface Row {
  readonly what: string
  readonly send: (ids: Ids) => readonly HostileRequest[]
  /** All of them at the same moment; otherwise one after the other. */
  readonly atOnce?: boolean
  /** A longer limit for the one request; the probe never has one. */
  readonly requestMs?: Bounds['requestMs']
}

export function post(path: string, body: HostileRequest['body']): HostileRequest {
  return { method: 'POST', path, ...(body === undefined ? {} : { body }) }
}

export function form(path: string, body: string): HostileRequest {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return { method: 'POST', path, headers, body }
}

export function query(path: string, parameters: Readonly<Record<string, string>>): HostileRequest {
  return { path: `${path}?${new URLSearchParams(parameters)}` }
}

export function zeros(count: number): readonly number[] {
  return Array.from({ length: count }, () => 0)
}
