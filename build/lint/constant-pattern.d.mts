import type { Rule } from 'eslint';

export const constantPattern: Rule.RuleModule;
