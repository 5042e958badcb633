<?php

namespace MediaWiki\Extension\Rigcast;

use MediaWiki\Hook\ParserFirstCallInitHook;
use MediaWiki\Html\Html;

class Hooks implements ParserFirstCallInitHook
{
    /** Adds the tag `<rigcast src="…" />`. */
    public function onParserFirstCallInit($parser): void
    {
        $parser->setHook('rigcast', static function ($content, array $attributes): string {
            global $wgRigcastPage;
            $frame = Frame::attributes($attributes, $wgRigcastPage);
            // Html::element escapes all attributes.
            return $frame === null
                ? Html::element('strong', ['class' => 'error'], 'rigcast: the attribute src is missing.')
                : Html::element('iframe', $frame);
        });
    }
}
