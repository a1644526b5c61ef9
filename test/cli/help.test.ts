// The help of the command line, and its answer to an unknown word.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bundle, commitOf } from '../../build.ts'
import { MODES } from '../../src/accounts/key.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { MESSAGE_CHANNELS, PARKED_DELIVERY_REASONS } from '../../src/core/delivery.ts'
import { DIALECTS } from '../../src/core/dialect.ts'
import { ROLES } from '../../src/core/role.ts'
import { STOP_REASONS } from '../../src/deliveries/stopped-addresses.ts'
import { packageVersion } from '../../src/package.ts'
import { QUEUE_NAMES } from '../../src/queue/catalogue.ts'
import { processOf } from '../support/built.ts'
import { runCommand, runHere } from '../support/command.ts'

const ROOT = join(import.meta.dirname, '../..')
const LONG = { timeout: 60_000 }

function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`

const COMMANDS = everyCommand(buildProgram()).map((command) => [nameOf(command), command] as const)

describe('the help', () => {
  it.each(COMMANDS)('of %s describes it, its options and its arguments', (_name, command) => {
    expect(command.description()).toMatch(/^\S.{9,}/)
    for (const option of command.options) expect(option.description).toMatch(/^\S.{4,}/)
    for (const argument of command.registeredArguments) {
      expect(argument.description).toMatch(/^\S.{4,}/)
    }
  })

  it.each(COMMANDS.filter(([, { commands }]) => commands.length === 0))(
    'of %s offers --json if it prints data, and --wide if it lists',
    (name, command) => {
      const options = command.options.map(({ long }) => long)
      const isServing = /(start|api|worker)$/.test(name)
      expect(options.includes('--json')).toBe(!isServing)
      if (name.endsWith(' list')) expect(options).toContain('--wide')
    },
  )

  it('is shown for every group and command, with status 0', LONG, async () => {
    const { status, out, err } = await runCommand(['deliveries', 'retry', '--help'], {})
    expect([status, err]).toEqual([0, ''])
    expect(out).toContain('$ lamplighter deliveries retry --channel email --reason out_of_tries')
    expect(out).not.toMatch(/.{101}/)
  })

  it('says what each reason of a failed delivery means', LONG, async () => {
    const { out } = await runHere(['deliveries', '--help'], {})
    expect(out).toMatch(/^ {2}no_target +endpoint or text messages disabled, or content deleted$/m)
  })

  it('names the exit statuses', LONG, async () => {
    const { out } = await runHere(['--help'], {})
    for (const line of ['0  done', '1  refused', '2  no such command']) expect(out).toContain(line)
  })
})

/** Only Linux has a file that is always full. */
const FULL = '/dev/full'

describe('an output that cannot be written', LONG, () => {
  async function run(words: readonly string[], output: 'pipe' | number) {
    const child = spawn(process.execPath, [...processOf('src/main.ts'), ...words], {
      env: { PATH: process.env.PATH },
      stdio: ['ignore', output, 'pipe'],
    })
    child.stdout?.destroy()
    const ended = once(child, 'close')
    const err = child.stderr === null ? '' : await text(child.stderr)
    const [status] = await ended
    return { status, err }
  }

  it('because its reader has left is no failure', async () => {
    expect(await run(['--help'], 'pipe')).toEqual({ status: 0, err: '' })
    expect(await run(['keys', '--nonsense'], 'pipe')).toMatchObject({ status: 2 })
  })

  it.runIf(existsSync(FULL))('because its disk is full is a line, and status 1', async () => {
    const full = openSync(FULL, 'w')
    onTestFinished(() => closeSync(full))
    const why = 'ENOSPC: no space left on device, write'
    expect(await run(['--help'], full)).toEqual({
      status: 1,
      err: `lamplighter: the output could not be written: ${why}\n`,
    })
  })
})

describe('the version', LONG, () => {
  it('names the commit, if the build knows it', async () => {
    const folder = join(ROOT, 'dist', `commit-${process.pid}`)
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    await bundle(['src/main.ts'], folder, commitOf(ROOT, '3b84075'.padEnd(40, '0')))
    const main = join(folder, 'src/main.js')
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--version'])
    expect(stdout).toBe(`${packageVersion()}+3b84075\n`)
  })

  it('names none without a checkout, nor that of a checkout around it', () => {
    expect(commitOf(join(ROOT, 'src'), undefined)).toBeUndefined()
  })

  it.each(['--version', '-v'])('is printed by %s', async (word) => {
    expect(await runCommand([word], {})).toEqual({
      status: 0,
      out: `${packageVersion()}\n`,
      err: '',
    })
  })
})

function unknown(word: string, hint: string, group?: string): string {
  const help = ['lamplighter', group ?? [], '--help'].flat().join(' ')
  return `lamplighter: unknown command '${word}'\n${hint}\nSee ${help}\n`
}

describe('a wrong choice', LONG, () => {
  it.each([
    [['worker', 'charge', 'banana'], QUEUE_NAMES],
    [
      ['deliveries', '--channel', 'fax'],
      ['email', 'sms', 'webhook'],
    ],
    [
      ['deliveries', '--channel', ''],
      ['email', 'sms', 'webhook'],
    ],
    [
      ['deliveries', '--status', 'lost'],
      ['parked', 'dismissed', 'pending', 'sent', 'delivered'],
    ],
    [['deliveries', 'retry', '--reason', 'bad'], PARKED_DELIVERY_REASONS],
    [['deliveries', 'stopped', '--channel', 'webhook'], MESSAGE_CHANNELS],
    [['deliveries', 'lift', 'x', '--account', 'x', '--reason', 'bad'], STOP_REASONS],
    [['outbox', '--channel', 'fax'], MESSAGE_CHANNELS],
    [['keys', 'create', '--team', 'x', '--mode', 'test'], MODES],
    [['keys', 'create', '--team', 'x', '--dialect', 'klingon'], DIALECTS],
    [['operators', 'add', 'Ada', '--role', 'god'], ROLES],
  ])('%j is refused with all choices, and nothing is done', async (words, choices) => {
    const { status, err } = await runCommand(words, {})
    expect([status, err.split('\n').length]).toEqual([2, 2])
    expect(err).toContain(`Allowed choices are ${choices.join(', ')}.`)
  })
})

describe('a misspelt word', LONG, () => {
  it.each([
    [['team'], unknown('team', '(Did you mean teams?)')],
    [['help', 'team'], unknown('team', '(Did you mean teams?)')],
    [['teams', 'lst'], unknown('lst', '(Did you mean list?)', 'teams')],
    [['deliveries', 'shwo', 'x'], unknown('shwo', '(Did you mean show?)', 'deliveries')],
    [['sessions', 'banana'], unknown('banana', '(The commands are list, end.)', 'sessions')],
    [['sessions', 'ned', '--all'], unknown('ned', '(Did you mean end?)', 'sessions')],
    [['sessions', 'ned', '--help'], unknown('ned', '(Did you mean end?)', 'sessions')],
    [['teams', 'crate', '--help'], unknown('crate', '(Did you mean create?)', 'teams')],
    [
      ['outbox', 'list', 'more'],
      "lamplighter: too many arguments for 'list'. Expected 0 arguments but got 1.\n",
    ],
    [['settle', '--dat', 'x'], "lamplighter: unknown option '--dat'\n(Did you mean --date?)\n"],
    [['keys', 'create'], "lamplighter: required option '--team <team>' not specified\n"],
    [['keys', 'roll'], "lamplighter: missing required argument 'id'\n"],
    [
      ['migrate', 'now'],
      "lamplighter: too many arguments for 'migrate'. Expected 0 arguments but got 1.\n",
    ],
  ])('%j gets the nearest one and status 2', async (words, said) => {
    expect(await runHere(words, {})).toEqual({ status: 2, out: '', err: said })
  })

  it('a group alone shows its commands, with status 2', async () => {
    const { status, out, err } = await runCommand(['keys'], {})
    expect([status, out]).toEqual([2, ''])
    expect(err).toContain('roll [options] <id>')
  })
})
