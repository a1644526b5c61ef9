// The answers of an operation, and the errors that it may answer with.

import { ERROR_CATALOGUE } from '../core/errors.ts'
import { sentenceOf } from '../core/sentence.ts'
import { JSON_MEDIA, refName, type ShownResponse, type ShownSchema } from './document.ts'
import { Fields, TypeOf } from './fields.tsx'
import {
  type ErrorOfOperation,
  errorHref,
  isError,
  type OperationProps,
  schemasOf,
  useOutline,
} from './outline.ts'
import { Line } from './prose.tsx'

export function Answers({ entry: { operation } }: OperationProps) {
  const answers = Object.entries(operation.responses).filter(([, answer]) => !isOnlyError(answer))
  return (
    <>
      <h3>Answers</h3>
      <dl class="fields">
        {answers.map(([status, answer]) => (
          <Answer key={status} status={status} answer={answer} />
        ))}
      </dl>
    </>
  )
}

/** The error itself is described once, on the first page. */
function isOnlyError(response: ShownResponse): boolean {
  const schemas = schemasOf(response)
  return schemas.length > 0 && schemas.every((schema) => refName(schema) === 'Error')
}

interface AnswerProps {
  readonly status: string
  readonly answer: ShownResponse
}

function Answer({ status, answer: { description, content = {}, headers } }: AnswerProps) {
  const names = Object.keys(headers ?? {})
  return (
    <div>
      <dt>
        <code>{status}</code>{' '}
        {Object.entries(content).map(([type, { schema }], i) => (
          <span key={type}>
            {i === 0 ? '' : <span class="quiet"> or </span>}
            {type === JSON_MEDIA ? <Returned schema={schema} /> : <code class="quiet">{type}</code>}
          </span>
        ))}
      </dt>
      <dd>
        <Line text={isError(status) ? declinedWords(description) : description} />
        {names.length === 0 ? null : (
          <span class="limits">
            {' '}
            <a href="/docs#headers">Headers</a>: <Line text={`\`${names.join('`, `')}\`.`} />
          </span>
        )}
        {Object.entries(content).map(([type, { schema }]) => (
          <ReturnedFields key={type} schema={schema} />
        ))}
      </dd>
    </div>
  )
}

/** After the codes of the errors, the description says when the answer is something else. */
function declinedWords(description: string): string {
  const [, words] = /; or (.+)$/.exec(description) ?? []
  return words === undefined ? description : `Or ${words}.`
}

interface SchemaProps {
  readonly schema: ShownSchema
}

function Returned({ schema }: SchemaProps) {
  const { anyOf } = schema
  if (anyOf === undefined) return <TypeOf schema={schema} />
  return (
    <>
      {anyOf.map((one, i) => (
        <span key={one}>
          {i === 0 ? '' : <span class="quiet"> or </span>}
          <TypeOf schema={one} />
        </span>
      ))}
    </>
  )
}

/** The fields of an answer that is no shared object, or that contains some in a page of a list. */
function ReturnedFields({ schema }: SchemaProps) {
  const parts = schema.anyOf ?? [schema.items ?? schema]
  return (
    <>
      {parts
        .filter(({ properties }) => properties !== undefined)
        .map((part) => (
          <Fields key={part} schema={part} of="answer" />
        ))}
    </>
  )
}

export function Errors({ entry: { codes, operation } }: OperationProps) {
  const { security, requestBody } = operation
  const common = useOutline().commonCodes.get(requestBody !== undefined)
  const isCommon = ({ code }: ErrorOfOperation) => security.length > 0 && common?.has(code)
  const own = codes.filter((one) => !isCommon(one))
  const others = codes.filter(isCommon)
  if (codes.length === 0) return null
  return (
    <>
      <h3>Errors</h3>
      {own.length === 0 ? null : (
        <dl class="fields errors">
          {own.map(({ status, code }) => (
            <div key={code}>
              <dt>
                <CodeLink code={code} /> <span class="quiet">{status}</span>
              </dt>
              <dd>{meaningOf(code)}</dd>
            </div>
          ))}
        </dl>
      )}
      {others.length === 0 ? null : (
        <p class="limits">
          And those of every request{requestBody === undefined ? '' : ' with a body'}:{' '}
          {others.map(({ status, code }, i) => (
            <span key={code}>
              {i === 0 ? '' : ', '}
              <CodeLink code={code} /> {status}
            </span>
          ))}
          .
        </p>
      )}
    </>
  )
}

function CodeLink({ code }: { readonly code: string }) {
  return (
    <a href={errorHref(code)}>
      <code>{code}</code>
    </a>
  )
}

function meaningOf(code: string): string {
  if (!Object.hasOwn(ERROR_CATALOGUE, code)) return ''
  return sentenceOf(ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].message)
}
