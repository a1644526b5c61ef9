// The form of every answer, whatever the request was.

import { expect } from 'vitest'
import { expectProblem, type Sent, send } from './requests.ts'
import type { Answer, Merchant, TestService } from './test-service.ts'

/** The limit of a route without a worker behind it; a longer answer is hung. */
const ANSWER_MS = 5_000

const ALLOWED = /^(200|202|400|401|403|404|405|409|413|415) /

/** An answer within the limit. */
export async function answerTo(
  service: TestService,
  merchant: Merchant,
  sent: Sent,
): Promise<Answer> {
  const headers = { ...merchant.headers, prefer: 'respond-async', ...sent.headers }
  const late = new Promise<never>((_, reject) => {
    setTimeout(reject, ANSWER_MS, new Error(`no answer to ${JSON.stringify(sent)}`)).unref()
  })
  return Promise.race([send(service.app, { ...sent, headers }), late])
}

/** A declined payment is a transaction; every other refusal has the common form. */
export function expectAllowed(answer: Answer): void {
  expect(`${answer.status} ${answer.text}`).toMatch(ALLOWED)
  if (answer.status >= 400 && answer.body.id === undefined) expectProblem(answer)
}
