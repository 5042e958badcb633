// README's first example is a page by itself.
import './example0.ts';
