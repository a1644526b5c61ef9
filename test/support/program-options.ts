// The options of programs for developers. `--help` and a wrong option end the program before it
// begins: with its usage, or with one line and status 2.

import { type ParseArgsConfig, parseArgs } from 'node:util'

/** A value that its option does not allow. */
export class OptionError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>

type Values<O extends Options> = ReturnType<typeof parseArgs<{ options: O }>>['values']

/** `read` turns the texts into values, and throws an `OptionError` if it cannot. */
export function programOptions<const O extends Options, R>(
  usage: string,
  options: O,
  read: (values: Values<O>) => R,
): R {
  if (process.argv.some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(`${usage.trim()}\n`)
    process.exit(0)
  }
  try {
    return read(parseArgs({ options }).values)
  } catch (error) {
    if (!(error instanceof OptionError || isMisuse(error))) throw error
    const [line] = error.message.split('\n')
    process.stderr.write(`${line?.replace(/\.$/, '')} (--help shows the options)\n`)
    process.exit(2)
  }
}

function isMisuse(error: unknown): error is Error {
  const { code } = error as { code?: unknown }
  return error instanceof Error && String(code).startsWith('ERR_PARSE_ARGS_')
}

/** A number that is at least this much. */
export function numberOption(name: string, text: string, least: number): number {
  const number = /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (number >= least) return number
  throw new OptionError(`--${name} ${text}: it must be a number, ${least} or more`)
}

export function choiceOption<const T extends string>(
  name: string,
  text: string,
  choices: readonly T[],
): T {
  const choice = choices.find((one) => one === text)
  if (choice !== undefined) return choice
  throw new OptionError(`--${name} ${text}: it must be ${choices.join(', ')}`)
}
