// The built site is closed: nobody else's scripts call into it. So whatever no script of it ever names goes from the classes of three.js and of rigcast:
// a bundler keeps or leaves out a class as a whole.
import { parseAst, type Plugin } from 'vite';

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

/** What others call by a name that nobody wrote: the language, JSON, whoever waits for or listens to something, the browser where a class is an element. */
const CALLED_BY_OTHERS = /^(constructor|toString|valueOf|toJSON|then|next|return|throw|handleEvent|observedAttributes|\w+Callback)$/;

/** A method of a class, or `this.name = function …` of what three makes without classes. */
interface Method {
  name: string;
  start: number;
  end: number;
  /** Every name in it. */
  names: readonly string[];
  isIn: Body;
}

/** The text of a module in its chunk. */
interface Body {
  code: string;
  methods: Method[];
  gone: Set<Method>;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode);

/** A name that somebody says of an object: `x.name`, `{ name }`, a text of nothing but it. */
function nameSaid(node: Node): string | null {
  const { key, property, computed, value } = node as { key?: Node; property?: Node; computed?: boolean; value?: unknown };
  if (node.type === 'MemberExpression' && !computed) return (property as { name?: string }).name ?? null;
  if (node.type === 'Property' && !computed && key?.type === 'Identifier') return key['name'] as string;
  if (node.type === 'Literal' && typeof value === 'string') return /^[\w$]+$/.test(value) ? value : null;
  if (node.type === 'TemplateElement') return (value as { raw: string }).raw;
  return null;
}

/** What a node defines, and could do without: a method of a class, or a statement of a function that is one. */
function methodOf(node: Node): { name: string; body: Node } | null {
  if (node.type === 'MethodDefinition') {
    const { key, computed, value } = node as unknown as { key: Node; computed: boolean; value: Node };
    return computed || key.type !== 'Identifier' ? null : { name: key['name'] as string, body: value };
  }
  const { expression } = node as { expression?: Node };
  if (node.type !== 'ExpressionStatement' || expression?.type !== 'AssignmentExpression') return null;
  const { left, right, operator } = expression as unknown as { left: Node; right: Node; operator: string };
  const isFunction = right.type === 'FunctionExpression' || right.type === 'ArrowFunctionExpression';
  const isOwn = left.type === 'MemberExpression' && !left['computed'] && (left['object'] as Node).type === 'ThisExpression';
  if (operator !== '=' || !isFunction || !isOwn) return null;
  const { name } = left['property'] as { name?: string };
  return name ? { name, body: right } : null;
}

/** Counts the names that a module says outside of its methods, and lists its methods. */
function read(code: string, isOpen: boolean, said: Map<string, number>): Body {
  const body: Body = { code, methods: [], gone: new Set() };
  const walk = (node: Node, names: string[] | null): void => {
    const found = names || isOpen ? null : methodOf(node);
    if (found && !CALLED_BY_OTHERS.test(found.name)) {
      const inside: string[] = [];
      walk(found.body, inside);
      body.methods.push({ name: found.name, start: node.start, end: node.end, names: inside, isIn: body });
      for (const name of inside) count(said, name, 1);
      return;
    }
    const name = nameSaid(node);
    if (name !== null) {
      names?.push(name);
      if (!names) count(said, name, 1);
    }
    for (const child of childrenOf(node)) walk(child, names);
  };
  walk(parseAst(code) as unknown as Node, null);
  return body;
}

const count = (said: Map<string, number>, name: string, by: number): void => void said.set(name, (said.get(name) ?? 0) + by);

/** Marks methods that nobody names but those of the same name; with each of them goes what it says, until nothing else does. */
function dismiss(bodies: readonly Body[], said: Map<string, number>): void {
  const left = new Map<string, Method[]>();
  for (const method of bodies.flatMap(({ methods }) => methods)) left.set(method.name, [...(left.get(method.name) ?? []), method]);
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const [name, methods] of left) {
      const inside = methods.flatMap(({ names }) => names);
      if ((said.get(name) ?? 0) > inside.filter(each => each === name).length) continue;
      for (const each of inside) count(said, each, -1);
      for (const method of methods) method.isIn.gone.add(method);
      left.delete(name);
      hasChanged = true;
    }
  }
}

const strip = ({ code, gone }: Body): string =>
  [...gone].sort((a, b) => b.start - a.start).reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), code);

/** `isOurs`: whose classes are called by nobody else, by the path of a module. */
export function closed(isOurs: (id: string) => boolean): Plugin {
  let bodies: Map<string, Body> | null = null;
  return {
    name: 'closed',
    apply: 'build',
    renderStart: () => void (bodies = null),
    renderChunk(code, chunk, _options, { chunks }) {
      if (!bodies) {
        const said = new Map<string, number>();
        const modules = Object.values(chunks).flatMap(each => Object.entries(each.modules));
        bodies = new Map(modules.flatMap(([id, module]) => (module.code ? [[id, read(module.code, !isOurs(id), said)] as const] : [])));
        dismiss([...bodies.values()], said);
      }
      let text = code;
      for (const id of Object.keys(chunk.modules)) {
        const body = bodies.get(id);
        if (!body || body.gone.size === 0) continue;
        if (!text.includes(body.code)) throw new Error(`${id} is not in its chunk as it was rendered.`);
        text = text.replace(body.code, () => strip(body));
      }
      return text === code ? null : { code: text, map: null };
    },
  };
}
