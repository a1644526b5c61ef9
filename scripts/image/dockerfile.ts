// The Dockerfile as data: its stages, and in each what an image builder would do, in its order. Only
// what our file uses is understood; anything else is refused, so that nothing is passed over.

import {
  type Copy,
  DockerfileParser,
  type Env,
  type From,
  type Instruction,
  type JSONInstruction,
  type Label,
} from 'dockerfile-ast'

export type Step =
  | {
      readonly kind: 'copy'
      readonly from?: string
      readonly sources: readonly string[]
      readonly to: string
    }
  | { readonly kind: 'run'; readonly command: string }
  | { readonly kind: 'workdir'; readonly folder: string }

/** What a stage says of the image itself, which no step carries out. */
export interface About {
  readonly environment: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly user: string | undefined
  readonly ports: readonly number[]
  readonly healthcheck: readonly string[] | undefined
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
}

export interface Stage {
  readonly name: string
  /** Another stage, or a published image. */
  readonly parent: string
  readonly steps: readonly Step[]
  readonly about: About
}

const NOTHING: About = {
  environment: {},
  labels: {},
  user: undefined,
  ports: [],
  healthcheck: undefined,
  entrypoint: [],
  command: [],
}

export function readDockerfile(text: string): readonly Stage[] {
  const stages: Stage[] = []
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') {
      stages.push(begun(instruction as From))
      continue
    }
    const stage = stages.pop()
    if (stage === undefined) throw new Error(`before any stage: ${instruction}`)
    stages.push(grown(stage, instruction))
  }
  return stages
}

/** The stages that lead to the named one, the first first; it begins where they end. */
export function lineage(stages: readonly Stage[], name: string): readonly Stage[] {
  const stage = stages.find((one) => one.name === name)
  return stage === undefined ? [] : [...lineage(stages, stage.parent), stage]
}

function begun(from: From): Stage {
  const name = from.getBuildStage()
  if (name === null) throw new Error(`a stage without a name: ${from}`)
  return { name, parent: from.getImage() ?? '', steps: [], about: NOTHING }
}

function grown(stage: Stage, instruction: Instruction): Stage {
  const step = stepOf(instruction)
  if (step !== undefined) return { ...stage, steps: [...stage.steps, step] }
  return { ...stage, about: { ...stage.about, ...aboutOf(stage.about, instruction) } }
}

function stepOf(instruction: Instruction): Step | undefined {
  switch (instruction.getKeyword()) {
    case 'COPY':
      return copyOf(instruction as Copy)
    case 'RUN':
      return { kind: 'run', command: instruction.getArgumentsContent() ?? '' }
    case 'WORKDIR':
      return { kind: 'workdir', folder: wordsOf(instruction)[0] ?? '' }
    default:
      return undefined
  }
}

function copyOf(copy: Copy): Step {
  const words = wordsOf(copy).filter((word) => !word.startsWith('--'))
  const [sources, to = ''] = [words.slice(0, -1), words.at(-1)]
  const from = copy.getFromFlag()?.getValue()
  return { kind: 'copy', sources, to, ...(from ? { from } : {}) }
}

function aboutOf(known: About, instruction: Instruction): Partial<About> {
  switch (instruction.getKeyword()) {
    case 'ENV':
      return { environment: { ...known.environment, ...propertiesOf(instruction as Env) } }
    case 'LABEL':
      return { labels: { ...known.labels, ...propertiesOf(instruction as Label) } }
    case 'USER':
      return { user: wordsOf(instruction)[0] }
    case 'EXPOSE':
      return { ports: [...known.ports, ...wordsOf(instruction).map(Number)] }
    case 'HEALTHCHECK':
      return { healthcheck: listOf(instruction.getArgumentsContent() ?? '') }
    case 'ENTRYPOINT':
      return { entrypoint: listOf((instruction as JSONInstruction).getArgumentsContent() ?? '') }
    case 'CMD':
      return { command: listOf((instruction as JSONInstruction).getArgumentsContent() ?? '') }
    case 'STOPSIGNAL':
      return {}
    default:
      throw new Error(`not understood: ${instruction}`)
  }
}

/** The words of the exec form: a shell between the signal and the process would swallow it. */
function listOf(text: string): readonly string[] {
  const list = /\[.*\]/s.exec(text)?.[0]
  if (list === undefined) throw new Error(`not in the exec form: ${text}`)
  return JSON.parse(list)
}

function propertiesOf(instruction: Env | Label): Readonly<Record<string, string>> {
  return Object.fromEntries(
    instruction.getProperties().map((property) => [property.getName(), property.getValue() ?? '']),
  )
}

function wordsOf(instruction: Instruction): readonly string[] {
  return instruction.getArguments().map((argument) => argument.getValue())
}
