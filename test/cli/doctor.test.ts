// The doctor prints the installation that it examines, the meaning of its marks, and a status.

import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../support/command.ts'
import { openTestService, type TestService } from '../support/test-service.ts'

const LONG = { timeout: 60_000 }

const LEGEND =
  '\n! deserves a look, and may be as it should be; ✗ is wrong, and makes the exit status 1.\n'

let service: TestService

beforeAll(async () => {
  service = await openTestService({
    queues: [],
    backend: 'postgres',
    settings: { CHARGE_WAIT_MS: '0' },
  })
})
afterAll(() => service.close())

const doctor = () => runCommand(['doctor'], { DATABASE_URL: service.databaseUrl })

describe('the doctor of an installation', LONG, () => {
  it('names its database without a password, and explains its marks', async () => {
    const { host, pathname, password } = new URL(service.databaseUrl)
    const { out } = await doctor()
    const [first] = out.split('\n')
    expect(first).toBe(`✓ installation: the database ${pathname.slice(1)} at ${host}`)
    expect(password).not.toBe('')
    expect(out).not.toContain(password)
    expect(out.endsWith(LEGEND)).toBe(true)
  })

  it('reports a fault if work is due and no worker runs', async () => {
    const merchant = await service.merchant()
    const order = { total: 3, payment_method_id: await service.card(merchant) }
    expect((await service.charge(merchant, order)).body).toMatchObject({ status: 'PENDING' })
    await service.world.db.query('UPDATE transaction SET due_at = $1', [new Date(0)])
    const { status, out } = await doctor()
    expect(out).toContain('✗ processes: none runs, and 1 item is due\n')
    expect(status).toBe(1)
  })

  it('names its folder, and gives a hint only if no work is due and no worker runs', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'lamplighter-doctor-')))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await runCommand(['migrate'], { DATA_DIR: folder })
    const { status, out } = await runCommand(['doctor'], { DATA_DIR: folder })
    expect(out).toContain(`✓ installation: the embedded PostgreSQL in ${folder}\n`)
    expect(out).toContain('! processes: none runs, and 0 items are due\n')
    expect(out).not.toContain('✗ processes')
    expect(status).toBe(0)
  })
})
