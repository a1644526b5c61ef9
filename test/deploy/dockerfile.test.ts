// The image as its Dockerfile says it will be. That its steps lead to a service that runs is shown
// by `npx tsx scripts/image.ts`.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DockerfileParser } from 'dockerfile-ast'
import { describe, expect, it } from 'vitest'
import { contextFiles, readIgnoreFile } from '../../scripts/image/build-context.ts'
import { lineage, readDockerfile, type Stage } from '../../scripts/image/dockerfile.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { readConfig } from '../../src/config.ts'

const ROOT = join(import.meta.dirname, '../..')

const text = readFileSync(join(ROOT, 'Dockerfile'), 'utf8')
const stages = readDockerfile(text)
const final = stages.at(-1)
const isIgnored = readIgnoreFile(readFileSync(join(ROOT, '.dockerignore'), 'utf8'))

const SECRET = /secret|token|password|passwd|api_?key|_url$/i

describe('the image', () => {
  it('is built in stages, the last of which has no tools of the others', () => {
    expect(stages.map(({ name }) => name)).toEqual(['base', 'build', 'dependencies', 'final'])
    expect(lineage(stages, 'final').map(({ name }) => name)).toEqual(['base', 'final'])
    expect(commandsOf('dependencies')).toContainEqual(
      expect.stringMatching(/npm ci(?=.*--omit=dev)(?=.*--omit=optional)(?=.*--ignore-scripts)/),
    )
    expect(commandsOf('final').filter((command) => command.includes('npm'))).toEqual([])
  })

  it('begins with one exact version of Node, which the package may run on', () => {
    const foreign = stages.map(({ parent }) => parent).filter((name) => !isStage(name))
    expect(foreign).toHaveLength(1)
    const [, major = '', minor = ''] =
      /^node:(\d+)\.(\d+)\.\d+-[a-z]+-slim$/.exec(foreign[0] ?? '') ?? []
    expect(Number(major) * 100 + Number(minor)).toBeGreaterThanOrEqual(2019)
  })

  it('runs as a user with a number that is not root, by node itself', () => {
    expect(final?.about.user).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/)
    expect(final?.about.entrypoint).toEqual(['node', 'dist/src/main.js'])
    expect(final?.about.command).toEqual(['api'])
  })

  it('gives that user one folder to write into, and nothing else', () => {
    const given = commandsOf('final').filter((command) => command.includes('chown'))
    expect(given).toEqual([`mkdir data && chown ${final?.about.user} data`])
    expect(text).not.toMatch(/COPY .*--ch(own|mod)/)
  })

  it('takes only what is there and not left out', () => {
    const sources = stages.flatMap(({ steps }) =>
      steps.flatMap((step) =>
        step.kind === 'copy' && step.from === undefined ? step.sources : [],
      ),
    )
    expect(sources).toContain('prisma/migrations')
    expect(sources).toContain('public')
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
    expect(sources.filter(isIgnored)).toEqual([])
  })

  it('takes from stages that come before', () => {
    const wrong = stages.flatMap(({ steps }, i) =>
      steps.filter(
        (step) =>
          step.kind === 'copy' &&
          step.from !== undefined &&
          !stages.slice(0, i).some(({ name }) => name === step.from),
      ),
    )
    expect(wrong).toEqual([])
  })

  it('holds no secret, and settings that can be read', () => {
    const names = [...Object.keys(final?.about.environment ?? {})]
    expect(names.filter((name) => SECRET.test(name))).toEqual([])
    expect(text).not.toMatch(/^\s*ARG /m)
    const config = readConfig(final?.about.environment)
    expect(config).toMatchObject({ host: '0.0.0.0', port: 3000, dataDir: '/app/data' })
    expect(final?.about.ports).toEqual([config.port])
  })

  it('asks a process that listens whether it lives', () => {
    const [program, flag, script = ''] = final?.about.healthcheck ?? []
    expect([program, flag]).toEqual(['node', '-e'])
    expect(script).toContain('/healthz')
    const read = [...script.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name)
    const known = Object.values(SETTINGS).map(({ name }) => name as string)
    expect(read).toEqual(['WORKER_PORT', 'PORT'])
    expect(read.filter((name) => !known.includes(name ?? ''))).toEqual([])
  })

  it('is written in instructions that are all understood, as a control', () => {
    expect(DockerfileParser.parse(text).getInstructions().length).toBeGreaterThan(25)
    expect(() => readDockerfile('FROM a AS b\nADD https://example.com/x /x')).toThrow(
      'not understood',
    )
  })
})

describe('what the builder is handed', () => {
  it('is what the image is made of, without secrets, tests or what is made in it', async () => {
    const files = await contextFiles(ROOT, isIgnored)
    expect(files).toContain('src/main.ts')
    expect(files).toContain('package-lock.json')
    const others = files.filter(
      (path) => !/^(src|workers|prisma|public)\/|^[^/]+\.(json|ts)$|^LICENSE$/.test(path),
    )
    expect(others).toEqual([])
    expect(files.filter((path) => path.startsWith('src/generated/'))).toEqual([])
  })

  it.each([
    ['.env', true],
    ['src/.env.local', true],
    ['prisma/server.key', true],
    ['node_modules/bullmq/package.json', true],
    ['test/tidy.test.ts', true],
    ['.git/config', true],
    ['src/main.ts', false],
    ['public/base.css', false],
  ])('%s is left out: %s', (path, expected) => {
    expect(isIgnored(path)).toBe(expected)
  })
})

function isStage(name: string): boolean {
  return stages.some((stage: Stage) => stage.name === name)
}

function commandsOf(name: string): readonly string[] {
  const steps = stages.find((stage) => stage.name === name)?.steps ?? []
  return steps.flatMap((step) => (step.kind === 'run' ? [step.command] : []))
}
