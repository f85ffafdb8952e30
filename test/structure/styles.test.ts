import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import { __unstable__loadDesignSystem } from 'tailwindcss';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

interface Source {
  readonly path: string;
  /** Text without its comments. */
  readonly text: string;
}

const sources: readonly Source[] = readdirSync(join(root, 'renderer'), {
  recursive: true,
  withFileTypes: true,
})
  .filter((entry) => entry.isFile() && /\.(css|tsx?)$/.test(entry.name))
  .map((entry) => {
    const file = join(entry.parentPath, entry.name);
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
    return { path: relative(root, file).split(sep).join('/'), text };
  });
const sheets = sources.filter(({ path }) => path.endsWith('.css'));
const scripts = sources.filter(({ path }) => !path.endsWith('.css'));

/** Places that `pattern` finds and whose first group `isAllowed` refuses, as "file: what is there". */
function offences(
  files: readonly Source[],
  pattern: RegExp,
  isAllowed: (value: string) => boolean,
): readonly string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)]
      .filter((match) => !isAllowed(match[1]!.trim()))
      .map((match) => `${path}: ${match[0].trim()}`),
  );
}

const textOf = (path: string) => sources.find((source) => source.path === path)?.text ?? '';
const names = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1]!);

/** Variables that a style sheet sets, that the theme sets by name, and those made from the names of the palette. */
const defined = new Set([
  ...sheets.flatMap(({ text }) => names(text, /(--[\w-]+)\s*:/g)),
  ...names(textOf('renderer/theme.ts'), /'(--[\w-]+)'/g),
  ...names(textOf('renderer/palette.ts'), /^ {4}(\w+): '#/gm).map(
    (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  ),
  ...names(textOf('renderer/palette.ts'), /^ {2}(\w+): \{ light: palette/gm).map((kind) => `--state-${kind}`),
  ...names(textOf('renderer/palette.ts').split('terminalShades')[1] ?? '', /^ {4}(\w+): /gm).map(
    (name) => `--terminal-${name}`,
  ),
  ...scripts.flatMap(({ text }) => names(text, /(?:style=\{\{ '|\[)(--[\w-]+)'?:/g)),
]);

/** Lengths of the scale in px; longer ones place a part beside another one. */
const SPACES = [0, 2, 4, 6, 8, 12, 16, 24, 32];

describe('the styles of the window', () => {
  it('keep apart by the lengths of the scale', () => {
    const isOfScale = (value: string) =>
      [...value.matchAll(/(\d+(?:\.\d+)?)px/g)].every(
        ([, px]) => SPACES.includes(Number(px)) || Number(px) > 32,
      );
    expect(offences(sheets, /(?:padding|margin|gap)(?:-[a-z-]+)?:([^;}]*)/g, isOfScale)).toEqual([]);
  });

  it('round corners by the radii of the scale', () => {
    const isOfScale = (value: string) => !/\d{2,}px|[3-9]px/.test(value) || value === '999px';
    expect(offences(sheets, /border(?:-[a-z]+)*-radius:([^;}]*)/g, isOfScale)).toEqual([]);
  });

  it('are looked for where there are some', () => {
    expect(sheets.length).toBeGreaterThan(8);
    expect(scripts.length).toBeGreaterThan(300);
    expect(classLists.length).toBeGreaterThan(900);
  });

  it('have text in the sizes of the scale alone', () => {
    expect(
      offences(sheets, /font-size:([^;}]+)/g, (value) =>
        /^(var\(--font-(12|13|14|16|20)\)|inherit)$/.test(value),
      ),
    ).toEqual([]);
    expect(offences(sheets, /\bfont:([^;}]+)/g, (value) => value === 'inherit')).toEqual([]);
    expect(
      offences(scripts, /\bfontSize(?:=\{|: )([^,}\s]+)/g, (value) => /^(12|13|14|16|20)$/.test(value)),
    ).toEqual([]);
  });

  it('have lines of the heights that belong to those sizes', () => {
    expect(
      offences(sheets, /line-height:([^;}]+)/g, (value) =>
        /^(var\(--line-(12|13|14|16|20)\)|0|1|inherit)$/.test(value),
      ),
    ).toEqual([]);
  });

  it('have a scale without a size below 12 px', () => {
    const sizes = sheets.flatMap(({ text }) => names(text, /--font-\d+: (\d+)px/g));
    expect(sizes).toEqual(['12', '13', '14', '16', '20']);
    const [ofTheme] = names(textOf('renderer/theme.ts'), /fontSizes: \{([^}]*)\}/g);
    for (const size of names(ofTheme ?? '', /'(\d+)px'/g)) expect(sizes).toContain(size);
  });

  it('write out the colours of highlights, which older runtimes give no variables, as the palette has them', () => {
    expect(offences(sheets, /::highlight\([^{]*\{([^}]*)\}/g, (rules) => !rules.includes('var('))).toEqual(
      [],
    );
    const sheet = textOf('renderer/logs/highlights.css');
    const inPalette = (name: string) =>
      names(textOf('renderer/palette.ts'), new RegExp(`^ {4}${name}: '(#\\w+)'`, 'gm'));
    expect(names(sheet, /background-color: (#\w+)/g)).toEqual(inPalette('hit'));
    expect(names(sheet, /\scolor: (#\w+)/g)).toEqual(inPalette('text'));
    expect(inPalette('hit')).toHaveLength(2);
  });

  it('use only variables that something defines', () => {
    expect(
      offences(
        sources,
        /(?:var|-)\((--[\w-]+)\)/g,
        (name) => name.startsWith('--mantine-') || defined.has(name),
      ),
    ).toEqual([]);
  });

  it('have a rule for each class that a view takes from its sheet, and no class that no view takes', () => {
    const users = new Map<string, Set<string>>();
    const missing = scripts.flatMap(({ path, text }) =>
      [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].flatMap(([, name, from]) => {
        const sheet = posix.join(posix.dirname(path), from!);
        const taken = names(text, new RegExp(`\\b${name}\\.(?!module)(\\w+)`, 'g'));
        // A class that is taken by a value may be any.
        if (text.includes(`${name}[`)) taken.push(...classesOf(sheet));
        users.set(sheet, new Set([...(users.get(sheet) ?? []), ...taken]));
        const known = new Set(classesOf(sheet));
        return taken.filter((one) => !known.has(one)).map((one) => `${path}: ${name}.${one}`);
      }),
    );
    expect(missing).toEqual([]);
    const unused = [...users].flatMap(([sheet, taken]) =>
      [...new Set(classesOf(sheet))]
        .filter((one) => !taken.has(one) && !one.startsWith('recharts-'))
        .map((one) => `${sheet}: .${one}`),
    );
    expect(unused).toEqual([]);
  });

  it('have a rule for each utility class, and no two on one element that set the same', async () => {
    const rules = await rulesOf([...new Set(classLists.flatMap(({ classes }) => classes))]);
    const isKnown = (name: string) => rules.get(name) !== null || GROUPS.test(name);
    expect(
      classLists.flatMap(({ path, classes }) =>
        classes.filter((name) => !isKnown(name)).map((name) => `${path}: ${name}`),
      ),
    ).toEqual([]);
    const doubled = classLists.flatMap(({ path, classes }) => {
      const set = classes.map((name) => propertiesOf(rules.get(name) ?? ''));
      return set.flatMap((one, at) =>
        one !== '' && set.indexOf(one) < at ? [`${path}: ${classes[set.indexOf(one)]} ${classes[at]}`] : [],
      );
    });
    expect(doubled).toEqual([]);
  });

  it('have utility classes of the scales alone', () => {
    const bare = classLists.flatMap(({ path, classes }) =>
      classes.map((name) => ({ path, text: name.replace(/^(?:[^[\]:]|\[[^\]]*\])*:/, '') })),
    );
    expect(
      offences(bare, /^-?(?:[pm][xytrblse]?|gap(?:-[xy])?)-\[?([\d.]+)(?:px)?\]?$/g, (px) =>
        [px].every((one) => SPACES.includes(Number(one)) || Number(one) > 32),
      ),
    ).toEqual([]);
    expect(offences(bare, /^text-\d+\/(.+)$/g, (px) => /^(16|20|24|28)$/.test(px))).toEqual([]);
    expect(offences(bare, /^leading-(.+)$/g, (px) => /^(0|1|none|16|20|24|28)$/.test(px))).toEqual([]);
    expect(offences(bare, /^text-\[(\d.*)\]$/g, () => false)).toEqual([]);
    expect(offences(bare, /^rounded-\[(.*)\]$/g, (px) => /^[12]px$/.test(px))).toEqual([]);
  });
});

/** Lists of classes that elements say, without those of sheets. */
const classLists = scripts.flatMap(({ path, text }) => {
  const lists: { readonly path: string; readonly classes: readonly string[] }[] = [];
  const take = (node: ts.Node): void => {
    const texts = ts.isTemplateExpression(node)
      ? [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
      : ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
        ? [node.text]
        : [];
    const classes = texts.join(' ').split(/\s+/).filter(Boolean);
    if (classes.length > 0) lists.push({ path, classes });
    // What is compared or looked up by is no class.
    if (!ts.isElementAccessExpression(node) && !ts.isCallExpression(node))
      ts.forEachChild(node, (child) => {
        if (!ts.isBinaryExpression(child) || !/[!=]==/.test(child.operatorToken.getText())) take(child);
      });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxAttribute(node) && node.name.getText() === 'className' && node.initializer)
      take(node.initializer);
    else ts.forEachChild(node, visit);
  };
  if (path.endsWith('x')) visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return lists;
});
/** Names that variants of other elements refer to. */
const GROUPS = /^(?:group|peer|@container)(?:\/\w+)?$/;

/** Rules that Tailwind makes of `classes` with our theme; null where it makes none. */
async function rulesOf(classes: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const base = join(root, 'renderer/styles');
  const design = await __unstable__loadDesignSystem(textOf('renderer/styles/styles.css'), {
    base,
    loadStylesheet: (id, from) => {
      const path = id.startsWith('.') ? join(from, id) : join(root, 'node_modules', id);
      return Promise.resolve({ path, base: from, content: readFileSync(path, 'utf8') });
    },
  });
  const rules = design.candidatesToCss([...classes]);
  return new Map(classes.map((name, at) => [name, rules[at] ?? null]));
}

/** Properties that a rule sets without a condition, as one text; empty where it sets more than a utility does. */
function propertiesOf(rule: string): string {
  // A pseudo-class or a combinator is a condition, and a colon of the class itself is escaped.
  const [, body = ''] = /^\.(?:\\.|[\w-])+ \{([^{}]*)\}\s*$/.exec(rule) ?? [];
  return names(body, /([\w-]+):/g)
    .filter((name) => !name.startsWith('--'))
    .join(' ');
}

const classesOf = (sheet: string) => names(textOf(sheet), /\.([a-zA-Z][\w-]*)(?=[^{}]*\{)/g);
