import { type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import {
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isExpressionStatement,
  isIfStatement,
  isNumericLiteral,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isTaggedTemplateExpression,
} from 'typescript/unstable/ast/is'
import type { Fault } from './fault.ts'
import { sqlFaults } from './sql-faults.ts'

/** Wrong replacements for operators. `left` and `right` keep only this operand. */
const otherOperators: Partial<Record<SyntaxKind, string[]>> = {
  [SyntaxKind.LessThanToken]: ['<='],
  [SyntaxKind.LessThanEqualsToken]: ['<'],
  [SyntaxKind.GreaterThanToken]: ['>='],
  [SyntaxKind.GreaterThanEqualsToken]: ['>'],
  [SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [SyntaxKind.AmpersandAmpersandToken]: ['left', 'right'],
  [SyntaxKind.BarBarToken]: ['left', 'right'],
  [SyntaxKind.QuestionQuestionToken]: ['left', 'right'],
  [SyntaxKind.PlusToken]: ['-'],
  [SyntaxKind.MinusToken]: ['+'],
  [SyntaxKind.AsteriskToken]: ['/'],
  [SyntaxKind.SlashToken]: ['*'],
}

/**
 * Method calls that a fault can remove without a type error. The list after this one has calls that another call
 * replaces.
 */
const droppable = new Set(['filter', 'toLowerCase', 'trim', 'toSorted', 'toReversed', 'reverse', 'sort', 'slice'])
const otherCalls: Partial<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some',
}
/** Calls that only write to the log. Faults do not remove them. */
const LOG_CALL = /^(?:await )?(?:runtime\.)?log\./

export function findFaults(source: SourceFile, file: string): Fault[] {
  const faults: Fault[] = []
  const visit = (node: Node): void => {
    if (isDescription(node, source)) return
    const from = node.getStart(source)
    const original = node.getText(source)
    const before = source.text.slice(0, from).split('\n')
    const around: Fault['around'] = [before.at(-1) ?? '', source.text.slice(node.end).split('\n', 1)[0] ?? '']
    const place = { file, line: before.length, from, to: node.end, original, around, atLoad: isAtLoad(node) }
    if (!beginsStatement(node, source))
      for (const changed of changesOf(node, source)) faults.push({ ...place, changed, kind: 'expression' })
    if (isExpressionStatement(node) && original.endsWith(')') && !LOG_CALL.test(original))
      faults.push({ ...place, changed: '{}', kind: 'statement' })
    node.forEachChild(visit)
  }
  source.forEachChild(visit)
  return faults
}

/** Whether the node is a description of an operation. No program and few tests read these texts. */
const isDescription = (node: Node, source: SourceFile) =>
  isPropertyAssignment(node) && ['summary', 'description', 'title'].includes(node.name.getText(source))

const functions = new Set([
  ...[SyntaxKind.ArrowFunction, SyntaxKind.FunctionDeclaration, SyntaxKind.FunctionExpression],
  ...[SyntaxKind.MethodDeclaration, SyntaxKind.Constructor, SyntaxKind.GetAccessor],
])

function isAtLoad(node: Node): boolean {
  for (let one = node.parent; one; one = one.parent) if (functions.has(one.kind)) return false
  return true
}

/** Whether the node begins a statement. A replacement in parentheses would then be a call of the previous line. */
function beginsStatement(node: Node, source: SourceFile): boolean {
  const start = node.getStart(source)
  for (let one = node; one?.getStart(source) === start; one = one.parent) if (isExpressionStatement(one)) return true
  return false
}

function changesOf(node: Node, source: SourceFile): string[] {
  const textOf = (part: Node) => part.getText(source)
  const text = textOf(node)
  if (isBinaryExpression(node)) {
    const [one, other] = [textOf(node.left), textOf(node.right)]
    const operators = otherOperators[node.operatorToken.kind] ?? []
    return operators.map((by) => (by === 'left' ? one : by === 'right' ? other : `${one} ${by} ${other}`))
  }
  if (isConditionalExpression(node))
    return [`!(${textOf(node.condition)}) ? ${textOf(node.whenTrue)} : ${textOf(node.whenFalse)}`]
  if (isNumericLiteral(node)) return isValue(node) ? [changedNumber(Number(text.replaceAll('_', '')))] : []
  if (node.kind === SyntaxKind.TrueKeyword) return isValue(node) ? ['false'] : []
  if (node.kind === SyntaxKind.FalseKeyword) return isValue(node) ? ['true'] : []
  if (isTaggedTemplateExpression(node)) return textOf(node.tag) === 'sql' ? sqlFaults(text) : []
  if (isIfStatement(node.parent) && node.parent.expression === node) return [`!(${text})`]
  if (!isCallExpression(node) || !isPropertyAccessExpression(node.expression) || text.includes('?.')) return []
  const [object, name] = [textOf(node.expression.expression), textOf(node.expression.name)]
  const otherCall = otherCalls[name]
  const input = text.slice(textOf(node.expression).length)
  return [...(droppable.has(name) ? [object] : []), ...(otherCall ? [`${object}.${otherCall}${input}`] : [])]
}

const changedNumber = (number: number) => String(number < 10 ? number + 1 : number * 2)

const isValue = ({ parent, pos }: Node) =>
  parent.kind !== SyntaxKind.LiteralType && !(isPropertyAssignment(parent) && parent.name.pos === pos)
