// A page of the largest rows has tens of megabytes. Other requests are answered while it is read
// and printed.

import { randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { printAnswers } from '../../src/http/print-answers.ts'
import { openPaymentsApi, type PaymentsApi } from '../support/payments-api.ts'
import { watchBlocking } from '../support/watch-blocking.ts'

const PARENTS = 40

/** As many as a transaction may have. */
const CHILDREN = 100

const COPY = `
  INSERT INTO transaction SELECT (jsonb_populate_record(t, jsonb_build_object(
    'id', gen_random_uuid(), 'type', $3::text, 'reference_id', $4::uuid, 'children', $5::integer,
    'meta', $6::jsonb, 'status', $7::text))).*
  FROM transaction t, generate_series(1, $2) WHERE t.id = $1
  RETURNING id`

const META = { note: randomBytes(11_000).toString('base64') }

let api: PaymentsApi

beforeAll(async () => {
  api = await openPaymentsApi({ queues: ['charge'] })
  const { id } = (await api.charge({ total: 100, pre_auth: true, meta: META })).body
  const { query } = api.service.world.db
  const meta = JSON.stringify(META)
  const parents = await query(COPY, [id, PARENTS, 'pre_auth', null, CHILDREN, meta, 'SUCCESS'])
  for (const parent of parents) {
    await query(COPY, [id, CHILDREN, 'capture', parent.id, 0, '{}', 'FAILED'])
  }
}, 120_000)
afterAll(() => api.service.close())

it.each(['standard', 'stax'])(
  'a page of the largest rows delays no other request, in the dialect %s',
  async (dialect) => {
    const { headers } = api.merchant
    await api.service.world.db.query('UPDATE api_key SET dialect = $1', [dialect])
    const url = `/transaction?limit=${PARENTS}&type=pre_auth`
    await api.service.app.inject({ url: `${url}&page=2`, headers })
    const watch = watchBlocking()
    const { statusCode, payload } = await api.service.app.inject({ url, headers })
    expect(watch.end()).toBeLessThan(250)
    expect([statusCode, payload.length > PARENTS * 100_000]).toEqual([200, true])
    const body = JSON.parse(payload)
    expect(body.data).toHaveLength(PARENTS)
    expect(body.data[0].child_captures).toHaveLength(CHILDREN)
    expect(payload === JSON.stringify(body)).toBe(true)
  },
)

it.each([
  ['row', { data: [{ total: 1n }], total: 1 }],
  ['envelope', { data: [{ total: 1 }], total: 1n }],
])('a list whose %s cannot be printed is answered with 500', async (_, list) => {
  const app = fastify()
  printAnswers(app)
  app.get('/', () => list)
  const { statusCode } = await app.inject('/')
  expect(statusCode).toBe(500)
  await app.close()
})
