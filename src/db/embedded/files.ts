// Helpers for node:fs. An absent file is undefined, and a file is written as a whole or not at all.

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { lstat, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * For small files. It reads at once, since each of the five steps of a read in Node's pool would
 * wake a thread and then this process, and some files are read every second.
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

export async function isThere(path: string): Promise<boolean> {
  return (await unlessMissing(lstat(path))) !== undefined
}

export async function unlessMissing<T>(looked: Promise<T>): Promise<T | undefined> {
  try {
    return await looked
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Makes the folder and its parents. Node's own `recursive` tries again without end where the kernel
 * makes no folders, as in /proc.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeFolder(parent, mode)
  try {
    await mkdir(path, mode)
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!(await isFolder(path))) throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await unlessMissing(stat(path)))?.isDirectory() ?? false
}

/**
 * Readers see the old text or the new one, never a part, even after a power cut. By default no
 * other user may read the file.
 */
export async function replaceFile(path: string, text: string, mode = 0o600): Promise<void> {
  const draft = `${path}.${randomName()}`
  try {
    await writeFile(draft, text, { mode, flag: 'wx', flush: true })
    await rename(draft, path)
  } catch (error) {
    // On a full disk each start would otherwise leave another draft.
    await rm(draft, { force: true })
    throw error
  }
}

/** A rename is safe on disk only after its folder is synced. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export function randomName(): string {
  return randomBytes(6).toString('hex')
}

export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
