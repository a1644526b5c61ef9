// Programs that call an operation, and an example of its answer.

import { JSON_MEDIA } from './document.ts'
import { type OperationProps, returnedObject, useOutline } from './outline.ts'
import { SAMPLE_LANGUAGES, samplesOf } from './samples.ts'

export function Samples({ entry }: OperationProps) {
  const samples = samplesOf(useOutline(), entry)
  return (
    <div class="samples">
      {SAMPLE_LANGUAGES.map(([language, name]) => (
        <figure key={language} class={language}>
          <figcaption>{name}</figcaption>
          <pre>
            <code>{samples[language]}</code>
          </pre>
        </figure>
      ))}
    </div>
  )
}

export function AnswerExample({ entry: { id, operation } }: OperationProps) {
  const outline = useOutline()
  const media = operation.responses[200]?.content?.[JSON_MEDIA]
  if (media === undefined) return null
  const home = outline.exampleHomes.get(returnedObject(operation) ?? '')
  if (home !== undefined && home.id !== id) {
    return (
      <p class="limits">
        The answer is like that of <a href={home.href}>{home.summary}</a>.
      </p>
    )
  }
  return <JsonExample title="Answer" value={media.example} />
}

export function JsonExample({ title, value }: { readonly title: string; readonly value: unknown }) {
  return (
    <figure class="json">
      <figcaption>{title}</figcaption>
      <pre>
        <code>{JSON.stringify(value, null, 2)}</code>
      </pre>
    </figure>
  )
}
