import { describe, expect, it } from 'vitest'
import { CUSTOMERS } from '../../src/customers/list-customers.ts'
import { PAYMENT_METHODS } from '../../src/customers/payment-method.ts'
import { declareList, listStatements, readAll, readPage } from '../../src/db/declared-list.ts'
import { EVENTS } from '../../src/events/list-events.ts'
import { INVOICES } from '../../src/invoices/list-invoices.ts'
import { LINKS } from '../../src/links/link.ts'
import { SCHEDULES } from '../../src/schedules/schedule-view.ts'
import { batchesWith } from '../../src/settlement/list-batches.ts'
import { WEBHOOK_DELIVERIES } from '../../src/webhooks/list-webhook-deliveries.ts'
import { WEBHOOKS } from '../../src/webhooks/webhook.ts'
import { filledDatabase } from '../support/filled-database.ts'

const ACCOUNT = '01941f29-7c00-7000-8000-000000000001'
const OTHER = '01941f29-7c00-7000-8000-000000000002'

const PAPERS = declareList({
  table: 'paper',
  alias: 'p',
  always: ({ isDeleted }) => (isDeleted ? 'p.deleted' : 'NOT p.deleted'),
  filters: {
    name: 'lower(p.name) = lower($value) AND p.name <> upper($value)',
    isDeleted: () => 'true',
    least: 'p.pages >= $value',
  },
  sorts: { created_at: 'p.created_at', pages: { nullable: 'p.pages' } },
  columns: 'p.id, p.pages, o.name AS owner',
  joins: 'LEFT JOIN owner o ON o.id = p.owner_id',
  view: ({ id, pages, owner }) => [id, pages, owner],
})

const FILL = `
  CREATE TABLE owner (id integer, name text);
  CREATE TABLE paper (account_id uuid, id integer, name text, pages integer, owner_id integer,
    deleted boolean, created_at integer);
  INSERT INTO owner VALUES (1, 'Ada');
  INSERT INTO paper VALUES
    ('${ACCOUNT}', 1, 'One', 10, 1, false, 1), ('${ACCOUNT}', 2, 'Two', NULL, 1, false, 2),
    ('${ACCOUNT}', 3, 'Three', 30, NULL, false, 3), ('${ACCOUNT}', 4, 'Three', 30, 2, false, 3),
    ('${ACCOUNT}', 5, 'One', 10, 1, true, 4), ('${OTHER}', 6, 'One', 10, 1, false, 5)`

const FIRST = { number: 1, skip: 0, take: 50, sort: 'created_at', order: 'desc' } as const

const database = filledDatabase(FILL)
const world = { db: database }

describe('a declared list', () => {
  const read = (page: object, asked: object = {}) =>
    readPage(world, PAPERS, ACCOUNT, { ...FIRST, ...page }, asked)
  const idsOf = async (page: object, asked?: object) =>
    (await read(page, asked)).rows.map(([id]) => id)

  it('has the rows of its account, each as its view and once, with their total', async () => {
    expect(await read({ take: 3 })).toEqual({
      total: 4,
      rows: [
        [4, 30, null],
        [3, 30, null],
        [2, null, 'Ada'],
      ],
    })
    expect(await read({ take: 3, skip: 3 })).toEqual({ total: 4, rows: [[1, 10, 'Ada']] })
  })

  it('has its order on later pages too', async () => {
    expect(await idsOf({ skip: 1, take: 2 })).toEqual([3, 2])
    expect(await idsOf({ skip: 1, take: 2, sort: 'pages', order: 'asc' })).toEqual([3, 4])
    expect(await idsOf({ skip: 9 })).toEqual([])
  })

  it('has nulls at its end, in either order', async () => {
    expect(await idsOf({ sort: 'pages' })).toEqual([4, 3, 1, 2])
    expect(await idsOf({ sort: 'pages', order: 'asc' })).toEqual([1, 3, 4, 2])
  })

  it('is narrowed by each requested filter, and by no other word', async () => {
    expect(await idsOf({}, { name: 'ONE' })).toEqual([1])
    expect(await idsOf({}, { name: 'three', least: 11 })).toEqual([4, 3])
    expect(await idsOf({}, { isDeleted: true })).toEqual([5])
    expect(await idsOf({}, { name: undefined, owner_id: 1 })).toEqual([4, 3, 2, 1])
    expect(await idsOf({}, { name: "' OR true --" })).toEqual([])
  })

  it('is read completely if no page is requested', async () => {
    const order = { sort: 'created_at', order: 'asc' } as const
    const ids: unknown[] = []
    for await (const rows of readAll(world, PAPERS, ACCOUNT, order, {})) {
      ids.push(...rows.map(([id]) => id))
    }
    expect(ids).toEqual([1, 2, 3, 4])
  })

  it('is read in parts however long it is, in one order', async () => {
    const more = `INSERT INTO paper SELECT '${OTHER}', n, 'More', 1000 - n, 1, false, n % 7
      FROM generate_series(1000, 1999) AS n`
    await database.client.query(more)
    const order = { sort: 'pages', order: 'asc' } as const
    const parts: (readonly unknown[])[] = []
    for await (const rows of readAll(world, PAPERS, OTHER, order, { name: 'more' })) {
      parts.push(rows.map(([id]) => id))
    }
    expect(parts.map(({ length }) => length)).toEqual([250, 250, 250, 250])
    expect(parts.flat()).toEqual(Array.from({ length: 1_000 }, (_, n) => 1_999 - n))
  })
})

describe('the declaration', () => {
  /** Each takes its own names: as one type they have none in common. */
  const declared = {
    PAYMENT_METHODS,
    CUSTOMERS,
    LINKS,
    INVOICES,
    SCHEDULES,
    EVENTS,
    WEBHOOKS,
    WEBHOOK_DELIVERIES,
    batches: batchesWith(new Map()),
  } as unknown as Readonly<Record<string, typeof PAPERS>>

  it.each(Object.entries(declared))(
    'of %s is valid SQL, with each sort and each filter',
    async (_, list) => {
      const texts = Object.entries(list.filters).filter(([, one]) => typeof one === 'string')
      const none = Object.fromEntries(texts.map(([name]) => [name, null]))
      for (const sort of Object.keys(list.sorts) as (keyof typeof list.sorts)[]) {
        const { count, page, values } = listStatements(list, ACCOUNT, { ...FIRST, sort }, none)
        expect(values.length).toBeGreaterThan(texts.length)
        expect(await world.db.query(count, values)).toEqual([{ total: 0 }])
        expect(await world.db.query(page, values)).toEqual([])
        const later = listStatements(list, ACCOUNT, { ...FIRST, sort, skip: 50 }, none)
        expect(await world.db.query(later.page, later.values)).toEqual([])
      }
    },
  )
})
