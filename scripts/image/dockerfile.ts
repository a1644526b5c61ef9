// Reads the Dockerfile and .dockerignore. Only the instructions and forms of our own files are
// understood; any other is refused, so that none is skipped.

import assert from 'node:assert'

export interface Instruction {
  readonly keyword: string
  /** The rest of the line. A line that continues in the next one counts as one. */
  readonly text: string
}

const LINE =
  /^(FROM|ARG|WORKDIR|COPY|RUN|LABEL|ENV|USER|EXPOSE|HEALTHCHECK|STOPSIGNAL|ENTRYPOINT|CMD) (.+)$/

export function readDockerfile(text: string): readonly Instruction[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
  return lines.filter(Boolean).map((line) => {
    const [, keyword = '', rest = ''] = LINE.exec(line) ?? []
    assert(keyword !== '', `not understood: ${line}`)
    return { keyword, text: rest }
  })
}

/** The properties of the finished image, which no step carries out. */
export interface ImageConfig {
  readonly environment: Readonly<Record<string, string>>
  readonly user: string
  readonly port: number
  readonly healthcheck: readonly string[]
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

export function imageConfig(instructions: readonly Instruction[]): ImageConfig {
  const last = instructions.slice(instructions.findLastIndex(({ keyword }) => keyword === 'FROM'))
  const textOf = (keyword: string) => {
    const [one, ...others] = last.filter((instruction) => instruction.keyword === keyword)
    assert(one !== undefined && others.length === 0, `the image needs one ${keyword}`)
    return one.text
  }
  /** Only the exec form is JSON. A shell between the signal and the process would swallow it. */
  const wordsOf = (keyword: string) => JSON.parse(textOf(keyword).replace(/^--.* CMD /, ''))
  assert(/^(\w+=[\w./]+ ?)+$/.test(textOf('ENV')), `not understood: ENV ${textOf('ENV')}`)
  return {
    environment: Object.fromEntries(
      textOf('ENV')
        .split(' ')
        .map((pair) => pair.split('=')),
    ),
    user: textOf('USER'),
    port: Number(textOf('EXPOSE')),
    healthcheck: wordsOf('HEALTHCHECK'),
    entrypoint: wordsOf('ENTRYPOINT'),
    command: wordsOf('CMD'),
  }
}

/** Files into the working folder, or one folder under its own name. */
export interface Copied {
  /** The stage that has them, or else the checkout. */
  readonly from: string | undefined
  readonly sources: readonly string[]
  readonly to: string
}

export function readCopy(text: string): Copied {
  const [, from, paths = ''] = /^(?:--from=(\w+) )?((?:[\w./-]+ )+[\w./-]+)$/.exec(text) ?? []
  const words = paths.split(' ')
  const [sources, to = ''] = [words.slice(0, -1), words.at(-1)]
  assert(to.startsWith('./') && (to === './' || sources.length === 1), `not understood: ${text}`)
  return { from, sources, to }
}

export type IsIgnored = (path: string) => boolean

/** The last pattern that fits a path, or a folder that it lies in, decides. */
export function readIgnoreFile(text: string): IsIgnored {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const patterns = lines.map((line) => {
    const glob = line.replace('!', '').replaceAll('.', '\\.')
    assert(/^[\w\\./*-]+$/.test(glob), `not understood: ${line}`)
    const source = glob.replaceAll('**/', '\0').replaceAll('*', '[^/]*').replaceAll('\0', '(.*/)?')
    return { isLetIn: line.startsWith('!'), fits: new RegExp(`^${source}(/|$)`) }
  })
  return (path) => patterns.findLast(({ fits }) => fits.test(path))?.isLetIn === false
}
