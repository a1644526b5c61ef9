// One operation: its input, its answers, and a program that calls it.

import { Answers, Errors } from './answers.tsx'
import { JSON_MEDIA, type ShownParameter } from './document.ts'
import { AnswerExample, Samples } from './examples.tsx'
import { Fields, Parameters } from './fields.tsx'
import type { OperationProps } from './outline.ts'
import { AnchoredHeading, Line } from './prose.tsx'

export function Operation({ entry }: OperationProps) {
  const { id, method, path, summary, operation } = entry
  const { description, security, parameters = [], requestBody } = operation
  const media = requestBody?.content[JSON_MEDIA]
  return (
    <section class="operation" aria-labelledby={id}>
      <div class="said">
        <AnchoredHeading id={id} text={summary} />
        <p class="call">
          <MethodWord method={method} /> <code>{path}</code>
          {security.length === 0 ? <span class="word">no key needed</span> : null}
        </p>
        {description === undefined ? null : (
          <p>
            <Line text={description} />
          </p>
        )}
        {PLACES.map(([place, title]) => (
          <ParametersIn
            key={place}
            title={title}
            parameters={parameters.filter((one) => one.in === place)}
          />
        ))}
        {media === undefined ? null : (
          <>
            <h3>Body</h3>
            <Note text={media.schema.description} />
            <Fields schema={media.schema} of="request" />
          </>
        )}
        <Answers entry={entry} />
        <Errors entry={entry} />
      </div>
      <div class="shown">
        <Samples entry={entry} />
        <AnswerExample entry={entry} />
      </div>
    </section>
  )
}

const PLACES = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
] as const

export function MethodWord({ method }: { readonly method: string }) {
  return <span class={`verb ${method.toLowerCase()}`}>{method}</span>
}

interface ParametersInProps {
  readonly title: string
  readonly parameters: readonly ShownParameter[]
}

function ParametersIn({ title, parameters }: ParametersInProps) {
  if (parameters.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <Parameters parameters={parameters} />
    </>
  )
}

function Note({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p>
      <Line text={text} />
    </p>
  )
}
