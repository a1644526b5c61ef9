// Unusual requests that no ordinary client sends, and the form of every refusal.

import type { InjectOptions } from 'fastify'
import { expect } from 'vitest'
import type { App } from '../../src/http/app.ts'
import type { Answer } from './test-service.ts'

export interface Sent {
  readonly method?: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** The bytes on the wire. */
  readonly payload?: string | Buffer
}

export const JSON_TYPE = { 'content-type': 'application/json' }

/** Sends exactly this request: nothing is added to it, not even a content type. */
export async function send(app: App, sent: Sent): Promise<Answer> {
  const answer = await app.inject({ method: 'GET', ...sent } as InjectOptions)
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return {
    status: answer.statusCode,
    body: isJson ? answer.json() : undefined,
    text: answer.body,
    headers: answer.headers,
  }
}

/** Expects a refusal in the common form. */
export function expectRefusal(
  answer: Answer,
  status: number,
  code: string,
  fields: readonly string[] = [],
): void {
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `))
  expectProblem(answer)
  expect(answer.body.error).toBe(code)
  if (fields.length > 0) expect(Object.keys(answer.body.errors ?? {}).sort()).toEqual(fields)
}

export function expectProblem(answer: Answer): void {
  expect(String(answer.headers['content-type'])).toMatch(/^application\/json/)
  const { error, message, errors, request_id: requestId, ...more } = answer.body
  expect(more).toEqual({})
  expect(error).toMatch(/^[a-z_]+$/)
  expect(message).toMatch(/\S/)
  expect(requestId).toBe(answer.headers['x-request-id'])
  for (const texts of Object.values(errors ?? {})) {
    expect(texts).toEqual(expect.arrayContaining([expect.any(String)]))
  }
}

/** The answer without the parts that differ between equal answers. */
export function withoutRequestId(answer: Answer): object {
  const { request_id: _, ...rest } = answer.body
  return { status: answer.status, ...rest }
}

export function withQuery(url: string, query: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}
