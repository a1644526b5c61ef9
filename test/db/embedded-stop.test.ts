// A server ends when it must, in whatever state it is, and the next one has its rows.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { childrenOf, stopServer } from '../../src/db/embedded/postmaster.ts'
import {
  commandOf,
  lamps,
  light,
  madeFolder,
  makeOnce,
  openFolder,
  removeMade,
  serverPid,
} from './embedded-rig.ts'

beforeAll(makeOnce)
afterAll(removeMade)

function freezeIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGSTOP')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

describe('a server that is stopped', () => {
  it.each([
    ['its first process was', () => []],
    ['all of its processes were', childrenOf],
  ])('ends at once though %s frozen', async (_, othersOf) => {
    const folder = madeFolder()
    const server = await openFolder(folder)
    const lamp = randomUUID()
    await light(server, lamp)
    const pid = await serverPid(folder)
    // The first process comes first, so that it starts no others; one that was ending may be gone.
    process.kill(pid, 'SIGSTOP')
    for (const one of await othersOf(pid)) freezeIfThere(one)
    const beforeMs = performance.now()
    await server.stop()
    expect(performance.now() - beforeMs).toBeLessThan(5_000)
    expect(await commandOf(pid)).toBe('')
    expect(await lamps(await openFolder(folder))).toContain(lamp)
  })

  it.runIf(process.platform === 'linux')(
    'is killed with its children where it obeys no other signal, and the log says so',
    async () => {
      const cluster = `/of/nobody/${randomUUID()}`
      const script = 'trap "" INT QUIT; sleep 60 & echo; wait; wait'
      const child = spawn('sh', ['-c', script, 'sh', '-D', cluster])
      onTestFinished(() => void child.kill('SIGKILL'))
      await once(child.stdout, 'data')
      const pid = child.pid ?? 0
      const [sleep = 0] = await childrenOf(pid)
      // It has no command for a moment while it becomes another program.
      await expect.poll(() => commandOf(sleep)).toContain('sleep')
      const signals = [
        ['SIGINT', 100],
        ['SIGQUIT', 100],
        ['SIGKILL', 5_000],
      ] as const
      await expect(stopServer(pid, cluster, signals)).rejects.toThrow(
        `the PostgreSQL on ${cluster} (process ${pid}) did not end within 0.2 s and was killed: the next start recovers all that was committed, from its WAL`,
      )
      await expect.poll(() => commandOf(sleep)).toBe('')
    },
  )
})
