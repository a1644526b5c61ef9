// The dialect's form of a body, in examples. `test/http/openapi.test.ts` compares its list of
// fields with the schemas of all answers.

import { describe, expect, it } from 'vitest'
import { bodyInDialect, fileInDialect, valueInDialect } from '../../src/core/dialect.ts'

const ACCOUNT = '01941f29-7c00-7000-8000-00000000000a'
const OURS = { merchant_id: ACCOUNT, user_id: null }
const AT = '2026-03-07T12:00:00.987Z'
const THEIR_AT = '2026-03-07 12:00:00'

const translated = (body: unknown) => JSON.parse(bodyInDialect(JSON.stringify(body), ACCOUNT))

describe('a body in the dialect', () => {
  it('has instants in another format, numbers for two flags, the year of a card, and its merchant', () => {
    const method = { id: 'm', is_default: true, card_exp: '0139', created_at: AT }
    const body = { id: 't', is_captured: false, is_voided: false, created_at: AT, paid_at: null }
    expect(translated({ ...body, payment_method: method })).toEqual({
      ...body,
      ...OURS,
      is_captured: 0,
      created_at: THEIR_AT,
      payment_method: {
        ...method,
        ...OURS,
        is_default: 1,
        card_exp: '012039',
        created_at: THEIR_AT,
      },
    })
  })

  it('has that form in lists, in bare arrays, and in nested resources', () => {
    const child = { id: 'c', created_at: AT }
    const theirs = { id: 'c', created_at: THEIR_AT, ...OURS }
    expect(translated([child])).toEqual([theirs])
    const page = { data: [child], total: 1, next_page_url: null }
    expect(translated(page)).toEqual({ ...page, data: [theirs] })
    const event = { id: 'e', created_at: AT, data: { ...child, child_transactions: [child] } }
    expect(translated(event).data).toEqual({ ...theirs, child_transactions: [theirs] })
    expect(translated({ future_occurrences: [AT, AT] }).future_occurrences).toEqual([
      THEIR_AT,
      THEIR_AT,
    ])
  })

  it("leaves a merchant's own fields unchanged, whatever they look like", () => {
    const free = { id: 1, created_at: AT, is_captured: true, card_exp: '0139', deep: [{ at: AT }] }
    const words = { message: AT, last_four: '0139', idempotency_id: AT }
    const body = { meta: free, link_meta: free, ...words }
    expect(translated(body)).toEqual(body)
    expect(translated({ created_at: 'yesterday', card_exp: null })).toEqual({
      created_at: 'yesterday',
      card_exp: null,
    })
  })

  it('is the same if it is translated twice', () => {
    const once = translated({ id: 't', is_captured: true, card_exp: '0139', created_at: AT })
    expect(translated(once)).toEqual(once)
  })

  it('has whole seconds, which are never later than the instant', () => {
    expect(valueInDialect('at', '2026-12-31T23:59:59.999Z')).toBe('2026-12-31 23:59:59')
  })
})

describe('a file in the dialect', () => {
  it('is translated by its columns, whatever the other cells contain', async () => {
    const head = 'id,is_captured,message,meta,created_at,updated_at\n'
    const line = `1,true,${AT},"{""at"":""${AT}""}",${AT},\n`
    const quoted = `2,false,"a\n""b"",${AT},true",{},${AT},${AT}\n`
    const lines: string[] = []
    for await (const piece of fileInDialect(pieces([head + line, quoted]))) lines.push(piece)
    expect(lines).toEqual([
      `${head}1,1,${AT},"{""at"":""${AT}""}",${THEIR_AT},\n`,
      `2,0,"a\n""b"",${AT},true",{},${THEIR_AT},${THEIR_AT}\n`,
    ])
  })
})

async function* pieces(all: readonly string[]): AsyncGenerator<string> {
  yield* all
}
