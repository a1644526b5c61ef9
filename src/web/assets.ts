// The files that pages load: those of public/ and the chart library. Their names change with their
// contents, so a browser loads each once.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Refusal } from '../core/errors.ts'
import { packageFolder } from '../package.ts'

const CHARTS = dirname(createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'))

const FILES = {
  'base.css': join(packageFolder(), 'public', 'base.css'),
  'console.css': join(packageFolder(), 'public', 'console.css'),
  'console.js': join(packageFolder(), 'public', 'console.js'),
  'now.css': join(packageFolder(), 'public', 'now.css'),
  'now.js': join(packageFolder(), 'public', 'now.js'),
  'batches.js': join(packageFolder(), 'public', 'batches.js'),
  'docs.css': join(packageFolder(), 'public', 'docs.css'),
  'docs.js': join(packageFolder(), 'public', 'docs.js'),
  'board.css': join(packageFolder(), 'public', 'board.css'),
  'board.js': join(packageFolder(), 'public', 'board.js'),
  'pay.css': join(packageFolder(), 'public', 'pay.css'),
  'pay.js': join(packageFolder(), 'public', 'pay.js'),
  'pay-hosted.js': join(packageFolder(), 'public', 'pay-hosted.js'),
  'lamp.svg': join(packageFolder(), 'public', 'lamp.svg'),
  'charts.css': join(CHARTS, 'uPlot.min.css'),
  'charts.js': join(CHARTS, 'uPlot.iife.min.js'),
} as const

export type AssetName = keyof typeof FILES

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The caching of a file whose address changes with its contents. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

const HASH_CHARACTERS = 10

interface Asset {
  readonly text: string
  readonly hash: string
}

const read = new Map<AssetName, Asset>()

/** The path by which a page loads the file. */
export function assetPath(name: AssetName): string {
  const [stem, end] = [name.slice(0, -extname(name).length), extname(name)]
  return `/assets/${stem}.${assetOf(name).hash}${end}`
}

export function assetRoutes(app: FastifyInstance): void {
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const [, stem = '', hash = '', end = ''] =
      /^(.+)\.([0-9a-f]+)(\.\w+)$/.exec(request.params.name) ?? []
    const name = `${stem}${end}`
    if (!isAsset(name)) throw new Refusal('not_found')
    const asset = assetOf(name)
    return (
      reply
        .type(TYPES[end] ?? 'application/octet-stream')
        // During an update a page of one version may ask a process of the other. That version's
        // file is better than none.
        .header('cache-control', asset.hash === hash ? FOR_EVER : 'no-store')
        .header('x-content-type-options', 'nosniff')
        .serializer(String)
        .send(asset.text)
    )
  })
}

function isAsset(name: string): name is AssetName {
  return Object.hasOwn(FILES, name)
}

function assetOf(name: AssetName): Asset {
  const known = read.get(name)
  if (known !== undefined) return known
  const text = readFileSync(FILES[name], 'utf8')
  const asset = { text, hash: contentHash(text) }
  read.set(name, asset)
  return asset
}

export function contentHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, HASH_CHARACTERS)
}
