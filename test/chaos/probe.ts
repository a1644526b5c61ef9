// What a caller of one API server sees: whether a charge is made at once, and voided again.

import { randomUUID } from 'node:crypto'
import { childWith } from './journal.ts'
import type { Introduced } from './setting.ts'

/** After this long without an answer a caller takes the API server for dead. */
const PATIENCE_MS = 3_000

export interface ProbeAnswer {
  /** undefined if no answer came. */
  readonly status: number | undefined
  readonly body: Readonly<Record<string, unknown>>
  readonly tookMs: number
}

/** The id of a charge that was decided within the time; undefined if none was. */
export async function chargeWithin(
  caller: Introduced,
  mostMs: number,
): Promise<string | undefined> {
  const { body, tookMs } = await order(caller, randomUUID())
  return body.status === 'SUCCESS' && tookMs <= mostMs ? String(body.id) : undefined
}

/** Whether the charge is voided by this answer. */
export async function isVoided(caller: Introduced, chargeId: string): Promise<boolean> {
  const key = randomUUID()
  const { body } = await postOnce(caller, `/transaction/${chargeId}/void`, {}, key)
  return childWith(body, key)?.status === 'SUCCESS'
}

function order(caller: Introduced, key: string): Promise<ProbeAnswer> {
  return postOnce(caller, '/charge', { total: '1.00', payment_method_id: caller.good.id }, key)
}

export async function postOnce(
  { address, apiKey }: Introduced,
  path: string,
  body: object,
  key: string,
): Promise<ProbeAnswer> {
  const startedMs = performance.now()
  const { status, text } = await ask(`${address}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
  return { status, body: JSON.parse(text), tookMs: performance.now() - startedMs }
}

/** The status that a probe answers; undefined if it does not answer in time. */
export async function probe(address: string, path: string): Promise<number | undefined> {
  return (await ask(`${address}${path}`, {})).status
}

async function ask(url: string, request: RequestInit) {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) })
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: undefined, text: '{}' }
  }
}
