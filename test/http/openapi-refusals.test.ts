// Every operation really gives each refusal that its document lists, and no entry of the catalogue
// is unused.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ERROR_CATALOGUE } from '../../src/core/errors.ts'
import { GENERAL_CODES } from '../../src/http/document/introduction.ts'
import {
  answerCheck,
  type Document,
  documentOf,
  type Named,
  operationsOf,
  refusalsOf,
} from '../support/document.ts'
import { type Anywhere, refusedAnywhere } from '../support/refused-anywhere.ts'
import { refusedSomewhere } from '../support/refused-somewhere.ts'
import { send } from '../support/requests.ts'
import { openSampleMerchant, type SampleMerchant } from '../support/samples.ts'

/** Each refusal of each operation is tried, one after the other. */
const LONG = { timeout: 300_000 }
const START_MS = 120_000

describe('the refusals in the OpenAPI document', LONG, () => {
  let seller: SampleMerchant
  let document: Document
  let anywhere: Anywhere
  let somewhere: Awaited<ReturnType<typeof refusedSomewhere>>
  let check: ReturnType<typeof answerCheck>

  beforeAll(async () => {
    seller = await openSampleMerchant()
    document = documentOf(seller.service.app)
    check = answerCheck(document)
    anywhere = await refusedAnywhere(seller)
    somewhere = await refusedSomewhere(seller)
  }, START_MS)
  afterAll(async () => {
    await anywhere[Symbol.asyncDispose]()
    await seller.service.close()
  })

  /** Causes a refusal, and answers its status and code as the document writes them. */
  async function provoked(named: Named, refusal: string): Promise<string> {
    const provoke = somewhere[named.route]?.[refusal] ?? anywhere.provoke[refusal]
    if (provoke === undefined) return 'nothing: say in test/support/refused-somewhere.ts how'
    const { app = seller.service.app, ...sent } = await provoke(named)
    const answer = await send(app, sent)
    check(named.method, sent.url, answer)
    return `${answer.status} ${answer.body.error}`
  }

  it('are the real ones', async () => {
    const wrong: string[] = []
    for (const named of operationsOf(document)) {
      for (const refusal of refusalsOf(named.operation)) {
        const came = await provoked(named, refusal).catch((error: Error) => error.message)
        if (came !== refusal) wrong.push(`${named.route} ${refusal}: ${came}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('include every code of the catalogue, and no other', () => {
    const documented = operationsOf(document).flatMap(({ operation }) => refusalsOf(operation))
    const general = GENERAL_CODES.map((code) => `${ERROR_CATALOGUE[code].status} ${code}`)
    const all = Object.entries(ERROR_CATALOGUE).map(([code, { status }]) => `${status} ${code}`)
    expect([...new Set([...documented, ...general])].sort()).toEqual(all.sort())
  })

  it.each(['/nowhere', '/charge'])(
    'holds for a path without such an operation: %s',
    async (url) => {
      const { status, body } = await send(seller.service.app, { url })
      expect(GENERAL_CODES).toContain(body.error)
      expect(status).toBe(ERROR_CATALOGUE[body.error as 'not_found'].status)
    },
  )
})
