// During a rollout, processes of two versions use one database: the old ones go on after the
// migrations of the new one, until each is replaced. The statements of the last release were
// recorded, and are replayed on today's schema: none may be refused, and each must have its old
// result. The migrations since then must also keep some rules.
//
// `RECORD_STATEMENTS=1 npx vitest run test/old-version` makes a new recording, at each release.

import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { freshDatabase } from '../support/postgres.ts'
import { migrationFaultsOf } from './migration-rules.ts'
import { tellStory } from './story.ts'
import { play, read, record, written } from './tape.ts'

const TAPE = process.env.STATEMENTS ?? join(import.meta.dirname, 'statements.jsonl')
const MIGRATIONS = join(import.meta.dirname, '../../prisma/migrations')

const LONG = { timeout: 120_000 }

async function migrations(): Promise<readonly string[]> {
  return (await readdir(MIGRATIONS)).filter((name) => /^\d/.test(name)).sort()
}

/** The first line says which migration the recorded version ends with. */
async function readTape() {
  const [first = '', ...lines] = (await readFile(TAPE, 'utf8')).split('\n')
  const lastMigration: string = JSON.parse(first).lastMigration
  return { lastMigration, steps: read(lines.join('\n')) }
}

describe.runIf(process.env.RECORD_STATEMENTS === '1')('recording', LONG, () => {
  it('stores the statements that this version sends', async () => {
    const recording = record()
    await tellStory().finally(recording.stop)
    const lastMigration = (await migrations()).at(-1)
    await writeFile(TAPE, `${JSON.stringify({ lastMigration })}\n${written(recording.steps)}`)
  })
})

describe('the version before', LONG, () => {
  it('works with the schema of this one', async () => {
    const database = await freshDatabase()
    const { steps } = await readTape()
    const played = await play(database.url, steps)
    await database.drop()
    const differing = played.flatMap(({ outcome, text }, i) =>
      outcome === steps[i]?.outcome ? [] : [{ was: steps[i]?.outcome, is: outcome, text }],
    )
    expect(differing).toEqual([])
    // Otherwise the replay would prove nothing.
    expect(new Set(steps.map(({ text }) => text)).size).toBeGreaterThan(60)
  })
})

describe('a rule that the version before does not know', LONG, () => {
  it('is noticed: its statements are refused', async () => {
    const database = await freshDatabase()
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query(`ALTER TABLE transaction ADD COLUMN paid_on date,
      ADD CONSTRAINT paid_on_a_day CHECK ((paid_on IS NOT NULL) = (status = 'SUCCESS')) NOT VALID`)
    await client.end()
    const played = await play(database.url, (await readTape()).steps)
    await database.drop()
    expect(played.map(({ outcome }) => String(outcome)).join()).toContain('23514')
  })
})

describe('a migration since', () => {
  it('adds, and explains its restrictions', async () => {
    const { lastMigration } = await readTape()
    const all = await migrations()
    expect(all).toContain(lastMigration)
    for (const name of all.slice(all.indexOf(lastMigration) + 1)) {
      const sql = await readFile(join(MIGRATIONS, name, 'migration.sql'), 'utf8')
      expect(migrationFaultsOf(sql), name).toEqual([])
    }
  })

  it.each([
    ['ALTER TABLE "a" DROP COLUMN "b";', /drops/],
    ['ALTER TABLE a RENAME COLUMN b TO c;', /renames/],
    ['ALTER TABLE a ALTER COLUMN b SET NOT NULL;', /NOT NULL: old writers/],
    ['ALTER TABLE a ALTER COLUMN b TYPE text;', /changes a type/],
    ['ALTER TABLE a ADD COLUMN b integer NOT NULL;', /without a default/],
    ['ALTER TABLE a ADD CONSTRAINT b CHECK (c > 0);', /narrows/],
    ['CREATE TRIGGER b BEFORE UPDATE ON a EXECUTE FUNCTION c();', /narrows/],
    ['CREATE UNIQUE INDEX b ON a (c);', /narrows/],
  ])('with %s is refused', (sql, fault) => {
    expect(migrationFaultsOf(sql).join()).toMatch(fault)
  })

  it.each([
    'ALTER TABLE a ADD COLUMN b integer, ADD COLUMN c integer NOT NULL DEFAULT 0;',
    'ALTER TABLE a ADD COLUMN c integer DEFAULT 0 NOT NULL; -- DROP COLUMN later',
    '-- Old writers: they leave it null, which passes.\nALTER TABLE a ADD CONSTRAINT b CHECK (c > 0);',
    'CREATE INDEX b ON a (c); DROP INDEX d;',
  ])('with %s is accepted', (sql) => {
    expect(migrationFaultsOf(sql)).toEqual([])
  })
})
