import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { Refusal } from '../../src/core/errors.ts'
import type { Database } from '../../src/db/database.ts'
import { retryLostRace } from '../../src/db/retry-lost-race.ts'

const ROW = { accountId: 'a', id: 'r' }

/** Of which nothing but the identity matters. */
const newDatabase = () => ({}) as Database

const withState = (code: string) =>
  Object.assign(new pg.DatabaseError('lost', 0, 'error'), { code })

const ofPrisma = (code: string, meta = {}) => Object.assign(new Error('lost'), { code, meta })

describe('a change of a row that others change too', () => {
  it.each([
    ['the version that was read is gone', ofPrisma('P2025')],
    ['its event is there already', withState('23505')],
    ['Prisma says that its event is there already', ofPrisma('P2002', uniqueMeta())],
    ['two wait for each other', withState('40P01')],
    ['the two cannot be put in an order', withState('40001')],
  ])('begins anew where %s', async (_, error) => {
    let tries = 0
    const answer = await retryLostRace(newDatabase(), ROW, async () => {
      tries += 1
      if (tries < 4) throw error
      return 'won'
    })
    expect([answer, tries]).toEqual(['won', 4])
  })

  it.each([
    ['a refusal', new Refusal('not_found')],
    ['a broken CHECK', withState('23514')],
    ['an error of the code', new TypeError('x')],
    ['what is no error at all', 'P2025'],
  ])('does not begin anew after %s', async (_, error) => {
    let tries = 0
    const lost = retryLostRace(newDatabase(), ROW, async () => {
      tries += 1
      throw error
    })
    await expect(lost).rejects.toBe(error)
    expect(tries).toBe(1)
  })

  it('is given up some time, and the caller may try again', async () => {
    let tries = 0
    const lost = retryLostRace(newDatabase(), ROW, async () => {
      tries += 1
      throw ofPrisma('P2025')
    })
    await expect(lost).rejects.toMatchObject({ code: 'unavailable' })
    expect(tries).toBeGreaterThan(10)
  })

  it('waits for the one before, of the same row only and whatever became of that', async () => {
    const db = newDatabase()
    const told: string[] = []
    const change = (id: string, name: string, isRight = true) =>
      retryLostRace(db, { ...ROW, id }, async () => {
        told.push(`${name} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        told.push(`${name} ends`)
        if (!isRight) throw new Error(name)
      })
    const all = [change('r', 'first', false), change('r', 'second'), change('other', 'third')]
    await Promise.allSettled(all)
    const inOrder = (name: string) => told.filter((one) => one.startsWith(name))
    expect(told.indexOf('second begins')).toBeGreaterThan(told.indexOf('first ends'))
    expect(told.indexOf('third begins')).toBeLessThan(told.indexOf('first ends'))
    expect(inOrder('second')).toEqual(['second begins', 'second ends'])
  })
})

function uniqueMeta(): object {
  return { driverAdapterError: { cause: { originalCode: '23505' } } }
}
