// The packages and files of the project that a process loads, as V8 counts them.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ran, runCommand } from './command.ts'

interface Loading extends Ran {
  readonly packages: ReadonlySet<string>
}

export async function loadedBy(
  words: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Loading> {
  const folder = await mkdtemp(join(tmpdir(), 'lamplighter-loaded-'))
  try {
    const ran = await runCommand(words, { ...settings, NODE_V8_COVERAGE: folder })
    const names = await readdir(folder)
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    const urls = texts.flatMap((text) =>
      (JSON.parse(text).result as readonly { readonly url: string }[]).map(({ url }) => url),
    )
    const paths = (await Promise.all(urls.map(sourcesOf))).flat()
    return { ...ran, packages: new Set(paths.flatMap(packageOf)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A built file contains modules of the project and of packages, which its map names. */
async function sourcesOf(url: string): Promise<readonly string[]> {
  if (!url.startsWith('file:') || url.includes('/node_modules/')) return [url]
  const map = await readFile(`${fileURLToPath(url)}.map`, 'utf8').catch(() => undefined)
  return map === undefined ? [url] : JSON.parse(map).sources
}

function packageOf(url: string): readonly string[] {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url) ?? []
  return name === undefined ? [] : [name]
}
