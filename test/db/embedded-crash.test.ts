import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  commandOf,
  killServer,
  lamps,
  light,
  madeFolder,
  makeOnce,
  openFolder,
  removeMade,
  serverPid,
  startEmbeddedChild,
} from './embedded-rig.ts'

beforeAll(makeOnce)
afterAll(removeMade)

describe('after a crash', () => {
  it.each([
    ['kill -9', (pid: number) => process.kill(pid, 'SIGKILL')],
    ['Ctrl-C, which goes to its whole group', (pid: number) => process.kill(-pid, 'SIGINT')],
  ])('of the owner by %s the server is adopted', async (_, end) => {
    const folder = madeFolder()
    const child = await startEmbeddedChild(folder, 'owner')
    const before = await child.open()
    const lamp = randomUUID()
    await light(before, lamp)
    const pid = await serverPid(folder)
    end(child.process.pid ?? 0)
    await once(child.process, 'exit')

    const server = await openFolder(folder)
    expect(server).toMatchObject({ owned: true, url: before.url })
    expect(await serverPid(folder)).toBe(pid)
    expect(await lamps(server)).toContain(lamp)
    await server.stop()
    expect(await commandOf(pid)).toBe('')
    expect(await server.gone).toMatchObject({ expected: true })
  })

  it('of the server its owner notices, and a new one has the rows', async () => {
    const folder = madeFolder()
    const server = await openFolder(folder)
    const lamp = randomUUID()
    await light(server, lamp)
    await killServer(folder)
    expect(await server.gone).toMatchObject({ expected: false, detail: /SIGKILL/ })
    await server.stop()
    expect(await lamps(await openFolder(folder))).toContain(lamp)
  })

  it('an empty pid file is no server', async () => {
    const folder = await crashedFolder()
    await truncate(pidFile(folder))
    expect(await lamps(await openFolder(folder))).toContain('first')
  })

  it('a living foreign process with the pid is no server, and is left alone', async () => {
    const folder = await crashedFolder()
    const stranger = spawn('sleep', ['60'])
    onTestFinished(() => void stranger.kill())
    const [, ...rest] = (await readFile(pidFile(folder), 'utf8')).split('\n')
    await writeFile(pidFile(folder), [stranger.pid, ...rest].join('\n'))
    const server = await openFolder(folder)
    expect(await lamps(server)).toContain('first')
    await server.stop()
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })
})

/** Its server was killed with kill -9, and its owner has released it. */
async function crashedFolder(): Promise<string> {
  const folder = madeFolder()
  const server = await openFolder(folder)
  await killServer(folder)
  await server.stop()
  return folder
}

function pidFile(folder: string): string {
  return join(folder, 'postgres', 'postmaster.pid')
}
