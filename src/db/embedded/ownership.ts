// Decides which process owns the data folder, and so starts and stops its server. Each claim is a
// file, `owner.<n>.json`, and the highest number counts. A process claims the folder by creating
// the next number, which the file system grants to one process only. Numbers never go back, so a
// process with an old view cannot take a claim that another has since made.

import { link, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomName, readIfThere, replaceFile, systemCodeOf, unlessMissing } from './files.ts'
import { identityOf } from './postmaster.ts'

export type ServerRole = 'owner' | 'guest'

export interface Holder {
  readonly pid: number
  /**
   * Distinguishes this run of the process from a later process with the same pid. Empty if the
   * claim was released.
   */
  readonly identity: string
  readonly role: ServerRole
}

export type OwnershipClaim =
  | { readonly won: true; release(): Promise<void> }
  | { readonly won: false; readonly holder: Holder }

/** A claim of root, who started here by mistake, must not keep the folder's user out. */
const FOR_ALL = 0o644

const CLAIM_FILE = /^owner\.(\d+)\.json$/

/**
 * Exactly one wins of all processes that ask at the same moment. The claim of a dead process does
 * not count.
 */
export async function claimFolder(dataDir: string, role: ServerRole): Promise<OwnershipClaim> {
  const mine: Holder = { pid: process.pid, identity: (await identityOf(process.pid)) ?? '', role }
  while (true) {
    const highest = await highestClaim(dataDir)
    const holder = await livingHolder(dataDir, highest)
    if (holder !== undefined) return { won: false, holder }
    if (await take(dataDir, highest + 1, mine)) {
      const file = fileOf(dataDir, highest + 1)
      return {
        won: true,
        // A deleted folder has no owner.
        release: async () => {
          const released = JSON.stringify({ ...mine, identity: '' })
          await unlessMissing(replaceFile(file, released, FOR_ALL))
        },
      }
    }
  }
}

/** The living process that owns the folder. Undefined if there is none. */
export async function findHolder(dataDir: string): Promise<Holder | undefined> {
  return livingHolder(dataDir, await highestClaim(dataDir))
}

async function take(dataDir: string, number: number, mine: Holder): Promise<boolean> {
  const file = fileOf(dataDir, number)
  const draft = `${file}.${randomName()}`
  await writeFile(draft, JSON.stringify(mine), { mode: FOR_ALL })
  try {
    // A link appears complete or not at all, unlike a file that is created and then written.
    await link(draft, file)
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
  // Our number may be free only because another process took it, was outdone by a higher one, and
  // deleted it, all since we looked.
  const highest = await highestClaim(dataDir)
  if (highest !== number) {
    await rm(file, { force: true })
    return false
  }
  await sweepBelow(dataDir, number)
  return true
}

async function livingHolder(dataDir: string, number: number): Promise<Holder | undefined> {
  const holder = parsed(await readIfThere(fileOf(dataDir, number)))
  if (holder === undefined || holder.identity === '') return undefined
  return (await identityOf(holder.pid)) === holder.identity ? holder : undefined
}

function parsed(text: string | undefined): Holder | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    // Claims appear complete. So a broken one was left by a power cut, which also ended its
    // process.
    return undefined
  }
}

async function highestClaim(dataDir: string): Promise<number> {
  return Math.max(0, ...(await claims(dataDir)))
}

async function sweepBelow(dataDir: string, number: number): Promise<void> {
  const old = (await claims(dataDir)).filter((other) => other < number)
  await Promise.all(old.map((other) => rm(fileOf(dataDir, other), { force: true })))
}

async function claims(dataDir: string): Promise<readonly number[]> {
  const names = await readdir(dataDir)
  return names.flatMap((name) => CLAIM_FILE.exec(name)?.[1] ?? []).map(Number)
}

function fileOf(dataDir: string, number: number): string {
  return join(dataDir, `owner.${number}.json`)
}
