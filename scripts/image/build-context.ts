// What a builder of images is handed of the checkout: everything that .dockerignore lets through.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

interface Pattern {
  readonly lets: boolean
  readonly matches: RegExp
}

export type IsIgnored = (path: string) => boolean

/** The last pattern that fits a path, or a folder that it lies in, decides. */
export function readIgnoreFile(text: string): IsIgnored {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(patternOf)
  return (path) => {
    const parts = path.split('/')
    const prefixes = parts.map((_, i) => parts.slice(0, i + 1).join('/'))
    const last = patterns.findLast(({ matches }) => prefixes.some((one) => matches.test(one)))
    return last !== undefined && !last.lets
  }
}

/** Paths from `root`. What is left out as a whole is not even entered. */
export async function contextFiles(root: string, isIgnored: IsIgnored): Promise<readonly string[]> {
  const entries = await readdir(root, { withFileTypes: true })
  const open = entries.filter((entry) => entry.isFile() || !isIgnored(entry.name))
  const found = await Promise.all(
    open.map(async (entry) => {
      if (entry.isFile()) return [entry.name]
      const names = await readdir(join(root, entry.name), { recursive: true, withFileTypes: true })
      return names
        .filter((name) => name.isFile())
        .map((name) => join(name.parentPath, name.name).slice(root.length + 1))
    }),
  )
  return found.flat().filter((path) => !isIgnored(path))
}

function patternOf(line: string): Pattern {
  const lets = line.startsWith('!')
  const glob = lets ? line.slice(1) : line
  const source = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('**/', '\0')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]')
    .replaceAll('\0', '(.*/)?')
  return { lets, matches: new RegExp(`^${source}$`) }
}
