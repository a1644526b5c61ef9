// The image by its Dockerfile. `npx tsx scripts/image.ts` shows that its steps make a service that
// runs.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  imageConfig,
  readCopy,
  readDockerfile,
  readIgnoreFile,
} from '../../scripts/image/dockerfile.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'

const ROOT = join(import.meta.dirname, '../..')

const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const instructions = readDockerfile(text)
const config = imageConfig(instructions)
const isIgnored = readIgnoreFile(readFileSync(join(ROOT, '.dockerignore'), 'utf8'))

const SECRET = /secret|token|password|passwd|api_?key|_url$/i

const textsOf = (keyword: string, all = instructions) =>
  all.filter((one) => one.keyword === keyword).map((one) => one.text)

describe('the image', () => {
  it('is built in two stages, of one exact version of Node that the package supports', () => {
    const [first = '', ...others] = textsOf('FROM')
    const [, image, major = '', minor = ''] =
      /^(node:(\d+)\.(\d+)\.\d+-[a-z]+-slim) AS build$/.exec(first) ?? []
    expect(others).toEqual([`${image} AS final`])
    expect(Number(major) * 100 + Number(minor)).toBeGreaterThanOrEqual(2019)
  })

  it('has no packages of development, and none that is optional', () => {
    const last = instructions.slice(instructions.findLastIndex(({ keyword }) => keyword === 'FROM'))
    const installs = textsOf('RUN').filter((command) => command.startsWith('npm ci'))
    expect(installs).toHaveLength(2)
    for (const install of installs) expect(install).toContain('--ignore-scripts')
    expect(installs[1]).toMatch(/--omit=dev --omit=optional/)
    expect(textsOf('RUN').indexOf(installs[1] ?? '')).toBeGreaterThan(
      textsOf('RUN').indexOf('npm run build'),
    )
    expect(textsOf('RUN', last).filter((command) => command.includes('npm'))).toEqual([])
  })

  it('runs as a user with a number that is not root, by node itself', () => {
    expect(config.user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
    expect(config.entrypoint).toEqual(['node', 'dist/src/main.js'])
    expect(config.command).toEqual(['api'])
  })

  it('lets that user write into one folder, and nowhere else', () => {
    const given = textsOf('RUN').filter((command) => command.includes('chown'))
    expect(given).toEqual([`mkdir data && chown ${config.user} data`])
    expect(text).not.toMatch(/COPY .*--ch(own|mod)/)
  })

  it('copies only existing files that are not ignored, or from the first stage', () => {
    const copies = textsOf('COPY').map(readCopy)
    expect(copies.flatMap(({ from }) => from ?? [])).toEqual(['build', 'build'])
    const sources = copies.flatMap(({ from, sources }) => (from === undefined ? sources : []))
    expect(sources).toEqual(expect.arrayContaining(['prisma/migrations', 'public']))
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect(sources.filter(isIgnored)).toEqual([])
  })

  it('holds no secret, and settings that can be read', () => {
    expect(Object.keys(config.environment).filter((name) => SECRET.test(name))).toEqual([])
    const read = readConfig(config.environment)
    expect(read).toMatchObject({ host: '0.0.0.0', port: config.port, dataDir: '/app/data' })
  })

  it('probes a process that listens', () => {
    const [program, flag, script = ''] = config.healthcheck
    expect([program, flag]).toEqual(['node', '-e'])
    expect(script).toContain('/healthz')
    const read = [...script.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name)
    const known = Object.values(SETTINGS).map(({ name }) => name as string)
    expect(read).toEqual(['WORKER_PORT', 'PORT'])
    expect(read.filter((name) => !known.includes(name ?? ''))).toEqual([])
  })

  it('has only instructions and forms that this test understands, as a control', () => {
    expect(instructions.length).toBeGreaterThan(20)
    expect(() => readDockerfile('FROM a AS b\nADD https://example.com/x /x')).toThrow('ADD')
    expect(() => readDockerfile('VOLUME /app')).toThrow('VOLUME')
    const refused = ['--chown=1:1 a ./', 'a b ./c', '*.json ./', '["a", "./"]', 'a /etc/a']
    for (const copy of refused) expect(() => readCopy(copy), copy).toThrow('not understood')
    const shell = readDockerfile(text.replace('CMD ["api"]', 'CMD api'))
    expect(() => imageConfig(shell)).toThrow(SyntaxError)
  })
})

describe('the build context', () => {
  it.each([
    ['.env', true],
    ['src/.env.local', true],
    ['prisma/server.key', true],
    ['src/generated', true],
    ['src/generated/client.ts', true],
    ['node_modules/bullmq/package.json', true],
    ['test/tidy.test.ts', true],
    ['.git/config', true],
    ['srcs/main.ts', true],
    ['src/main.ts', false],
    ['src/generated-by-hand.ts', false],
    ['public/base.css', false],
  ])('ignores %s: %s', (path, expected) => {
    expect(isIgnored(path)).toBe(expected)
  })
})
