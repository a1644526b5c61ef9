// Whether an output may have colours: a terminal has, unless NO_COLOR says otherwise; FORCE_COLOR
// decides for every output. Node reads these variables in the same way.

export interface TextOutput {
  readonly isTTY?: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

export function hasColour({ isTTY }: TextOutput, env: Environment = process.env): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = env
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTTY === true && !NO_COLOR && TERM !== 'dumb'
}
