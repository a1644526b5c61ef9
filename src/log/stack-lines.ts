// Stack traces name the files and lines of the sources, although a built process runs a few large
// files. A map is read when a trace first leads through its file: Node's own `--enable-source-maps`
// reads all of them at each start, which takes a tenth of its time.

import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLACE = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/

/** By the built file. Undefined if it has none. */
const maps = new Map<string, SourceMap | undefined>()

/** By the built place. Stripe's client makes a trace with each call, always of the same places. */
const sources = new Map<string, string>()

export function nameStackLines(): void {
  if (process.sourceMapsEnabled) return
  Error.prepareStackTrace = (error, sites) => [error, ...sites.map(lineOf)].join('\n    at ')
}

function lineOf(site: NodeJS.CallSite): string {
  return String(site).replace(PLACE, (built, url: string, line: string, column: string) => {
    const source = sources.get(built) ?? sourceOf(built, url, Number(line), Number(column))
    sources.set(built, source)
    return source
  })
}

/** The built place itself if no map knows it. */
function sourceOf(built: string, url: string, line: number, column: number): string {
  // Both are counted from 1 in a trace, and from 0 in a map.
  const found = mapOf(url)?.findEntry(line - 1, column - 1)
  if (found === undefined || !('originalSource' in found)) return built
  const source = join(dirname(fileURLToPath(url)), found.originalSource)
  return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`
}

function mapOf(url: string): SourceMap | undefined {
  if (!maps.has(url)) maps.set(url, readMap(`${fileURLToPath(url)}.map`))
  return maps.get(url)
}

function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
