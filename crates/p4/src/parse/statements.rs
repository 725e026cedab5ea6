//! Statements (§12).

use super::mistakes::step_help;
use super::scope::Meaning;
use super::{Abandoned, MAX_ELSE_IFS, Parse, Parser};
use crate::ast::{
    Annotation, BinaryOp, Block, Declaration, DeclarationKind, Expression, ExpressionKind,
    Instantiation, Statement, StatementKind, SwitchCase, TypeExpr, TypeExprKind,
    VariableDeclaration,
};
use crate::diagnostic::Diagnostic;
use crate::lexer::{Keyword, Punct, TokenKind};
use crate::source::Span;

/// What a construct without keyword is: `T x`, `T(..) x` or an expression.
pub(super) enum Beginning {
    /// A type and a name follow, or a type and constructor arguments.
    Type,
    /// Anything else.
    Expression,
}

impl Parser<'_> {
    /// `{ statements }` behind the annotations that were read.
    pub(super) fn block(&mut self, annotations: Vec<Annotation>, owner: &str) -> Parse<Block> {
        self.nested(|p| {
            let start = p.expect(Punct::BraceOpen, &format!("before the body of {owner}"))?;
            let mut statements = Vec::new();
            p.scopes.push();
            let result = p.braced(&format!("the body of {owner}"), |p| {
                statements.push(p.statement()?);
                Ok(())
            });
            p.scopes.pop();
            result?;
            Ok(Block { annotations, statements, span: p.since(start) })
        })
    }

    /// `blockStatement` where nothing else may stand.
    pub(super) fn annotated_block(&mut self, owner: &str) -> Parse<Block> {
        let annotations = self.annotations()?;
        self.block(annotations, owner)
    }

    /// `statementOrDeclaration`.
    pub(super) fn statement(&mut self) -> Parse<Statement> {
        self.nested(Self::statement_here)
    }

    fn statement_here(&mut self) -> Parse<Statement> {
        let start = self.span();
        let annotations = self.annotations()?;
        let TokenKind::Keyword(keyword) = self.peek() else {
            if self.is(Punct::BraceOpen) {
                let block = self.block(annotations, "a block")?;
                let span = self.since(start);
                return Ok(Statement { kind: StatementKind::Block(block), span });
            }
            if self.is(Punct::Semicolon) {
                self.no_annotations(&annotations);
                self.bump();
                return Ok(Statement { kind: StatementKind::Empty, span: self.since(start) });
            }
            return self.simple_statement(start, annotations);
        };
        let keyword = *keyword;
        let kind = match keyword {
            Keyword::Const => {
                let declaration = self.constant(start, annotations)?;
                StatementKind::Declaration(Box::new(declaration))
            }
            Keyword::For => self.for_statement(annotations)?,
            Keyword::If => {
                self.no_annotations(&annotations);
                self.if_statement()?
            }
            Keyword::Switch => {
                self.no_annotations(&annotations);
                self.switch_statement()?
            }
            Keyword::Return => {
                self.no_annotations(&annotations);
                self.bump();
                let has_value = !self.is(Punct::Semicolon) && !self.is(Punct::BraceClose);
                let value = if has_value { Some(self.expression()?) } else { None };
                self.semicolon("behind 'return'")?;
                StatementKind::Return(value)
            }
            Keyword::Exit | Keyword::Break | Keyword::Continue => {
                self.no_annotations(&annotations);
                self.bump();
                self.semicolon(&format!("behind '{}'", keyword.text()))?;
                match keyword {
                    Keyword::Exit => StatementKind::Exit,
                    Keyword::Break => StatementKind::Break,
                    _ => StatementKind::Continue,
                }
            }
            Keyword::Action | Keyword::Table | Keyword::ValueSet | Keyword::Transition => {
                let word = keyword.text();
                let message = format!("'{word}' cannot stand among statements");
                let help = match keyword {
                    Keyword::Action | Keyword::Table => {
                        "actions and tables are declared in the control, before 'apply'"
                    }
                    Keyword::ValueSet => "value sets are declared in the parser, before its states",
                    _ => "'transition' ends a parser state",
                };
                self.report(Diagnostic::error(self.span(), message).help(help));
                return Err(Abandoned);
            }
            Keyword::Else => {
                self.report(Diagnostic::error(self.span(), "'else' without 'if'"));
                return Err(Abandoned);
            }
            _ => return self.simple_statement(start, annotations),
        };
        Ok(Statement { kind, span: self.since(start) })
    }

    /// Annotations may not precede this statement.
    fn no_annotations(&mut self, annotations: &[Annotation]) {
        if let Some(annotation) = annotations.first() {
            let message = "this statement takes no annotation";
            self.complain(Diagnostic::error(annotation.span, message));
        }
    }

    /// Whether a declaration begins here rather than an expression.
    pub(super) fn beginning(&self) -> Beginning {
        if self.is_keyword(Keyword::Error) && self.is_at(1, Punct::Dot) {
            return Beginning::Expression;
        }
        if self.is_type_keyword_at(0) {
            return Beginning::Type;
        }
        let known = self.type_name_at(0);
        let dot = usize::from(self.is(Punct::Dot));
        if !self.is_name_at(dot) {
            return Beginning::Expression;
        }
        let behind = dot + 1;
        let is_type = match self.peek_at(behind) {
            _ if self.is_name_at(behind) || self.is_keyword_at(behind, Keyword::List) => true,
            TokenKind::Punct(Punct::ParenOpen) => self.constructs_instance(behind),
            TokenKind::Punct(Punct::Lt) => self.type_arguments_precede_name(behind),
            TokenKind::Punct(Punct::BracketOpen) => known.is_some(),
            // A reserved word as the name: the message is better if this is a declaration.
            TokenKind::Keyword(_) => known.is_some(),
            _ => false,
        };
        if is_type { Beginning::Type } else { Beginning::Expression }
    }

    /// Whether a name follows the parentheses that open at `ahead`.
    fn constructs_instance(&self, ahead: usize) -> bool {
        let Some(behind) = self.behind_brackets(ahead) else { return false };
        if !self.is_name_at(behind) {
            return false;
        }
        if !self.starts_line_at(behind) {
            return true;
        }
        // `f(x)` without its semicolon and the next statement, or an instance on two lines?
        let is_object = matches!(
            self.name_at(0).and_then(|n| self.scopes.meaning(n)),
            Some(Meaning::Object | Meaning::Variable)
        );
        let ends = self.is_at(behind + 1, Punct::Semicolon)
            || (self.is_at(behind + 1, Punct::Assign) && self.is_at(behind + 2, Punct::BraceOpen));
        !is_object && ends
    }

    /// Whether the type arguments that open at `ahead` belong to a declaration.
    fn type_arguments_precede_name(&self, ahead: usize) -> bool {
        let Some(behind) = self.behind_angles(ahead) else { return false };
        match self.peek_at(behind) {
            TokenKind::Punct(Punct::ParenOpen) => self.constructs_instance(behind),
            TokenKind::Punct(Punct::BracketOpen) => true,
            _ => self.is_name_at(behind),
        }
    }

    /// The position behind the closing partner of the bracket at `ahead`.
    fn behind_brackets(&self, ahead: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut at = ahead;
        loop {
            match self.peek_at(at) {
                TokenKind::Punct(Punct::ParenOpen | Punct::BracketOpen | Punct::BraceOpen) => {
                    depth += 1;
                }
                TokenKind::Punct(Punct::ParenClose | Punct::BracketClose | Punct::BraceClose) => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                TokenKind::Punct(Punct::Semicolon) | TokenKind::End => return None,
                _ => {}
            }
            at += 1;
        }
    }

    /// The position behind the `>` that closes the `<` at `ahead`.
    fn behind_angles(&self, ahead: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut at = ahead;
        loop {
            match self.peek_at(at) {
                TokenKind::Punct(Punct::Lt) => depth += 1,
                TokenKind::Punct(Punct::Gt) => depth = depth.checked_sub(1)?,
                TokenKind::Punct(Punct::Shr) => depth = depth.checked_sub(2)?,
                TokenKind::Punct(Punct::ParenOpen | Punct::BracketOpen) => {
                    at = self.behind_brackets(at)?;
                    continue;
                }
                TokenKind::Punct(Punct::Comma | Punct::Dot | Punct::DontCare)
                | TokenKind::Identifier(_)
                | TokenKind::Number(_)
                | TokenKind::Keyword(_) => {}
                _ => return None,
            }
            at += 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }

    /// A declaration without keyword, an assignment or a call, with its semicolon.
    fn simple_statement(&mut self, start: Span, annotations: Vec<Annotation>) -> Parse<Statement> {
        if matches!(self.beginning(), Beginning::Type) {
            let declaration = self.variable_or_instance(start, annotations)?;
            let kind = StatementKind::Declaration(Box::new(declaration));
            return Ok(Statement { kind, span: self.since(start) });
        }
        self.no_annotations(&annotations);
        let kind = self.assignment_or_call()?;
        let what = match &kind {
            StatementKind::Call(_) => "behind the call",
            _ => "behind the assignment",
        };
        self.semicolon(what)?;
        Ok(Statement { kind, span: self.since(start) })
    }

    /// `assignmentOrMethodCallStatementWithoutSemicolon`.
    pub(super) fn assignment_or_call(&mut self) -> Parse<StatementKind> {
        if matches!(self.peek(), TokenKind::Keyword(k) if !k.is_name() && *k != Keyword::This)
            || matches!(self.peek(), TokenKind::Number(_) | TokenKind::String(_))
        {
            return Err(self.expected("a statement"));
        }
        let left = self.target()?;
        let op = match self.peek() {
            TokenKind::Punct(Punct::Assign) => None,
            TokenKind::Punct(punct) => match compound_operator(*punct) {
                Some(op) => Some(op),
                None => return self.finish_call(left),
            },
            _ => return self.finish_call(left),
        };
        if matches!(left.kind, ExpressionKind::Call { .. }) {
            let message = "the result of a call cannot be assigned to";
            self.complain(Diagnostic::error(left.span, message).label("not an l-value"));
        }
        self.bump();
        let right = self.expression()?;
        Ok(StatementKind::Assignment { op, left, right })
    }

    /// What stands alone has to be a call.
    fn finish_call(&mut self, expression: Expression) -> Parse<StatementKind> {
        if matches!(expression.kind, ExpressionKind::Call { .. }) {
            return Ok(StatementKind::Call(expression));
        }
        let found = self.describe();
        let message = format!("expected an assignment or a call, found {found}");
        let diagnostic = match self.peek() {
            _ if self.step_follows() => {
                let op = if self.is(Punct::Minus) { '-' } else { '+' };
                let help = step_help(Some(&expression), op);
                Diagnostic::error(self.span(), message).help(help)
            }
            TokenKind::Punct(Punct::Eq) => {
                Diagnostic::error(self.span(), message).help("assignment is written '='")
            }
            _ => Diagnostic::error(self.span(), message)
                .also(expression.span, "this alone does nothing"),
        };
        self.report(diagnostic);
        Err(Abandoned)
    }

    /// `T x;`, `T x = e;` or `T(..) x;`, annotations read.
    pub(super) fn variable_or_instance(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
    ) -> Parse<Declaration> {
        let ty = self.type_ref()?;
        if self.is(Punct::ParenOpen) {
            return self.instance(start, annotations, ty);
        }
        let variable = self.variable_of(ty)?;
        self.semicolon("behind the declaration of a variable")?;
        let kind = DeclarationKind::Variable(variable);
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// `x` or `x = e` behind a type.
    pub(super) fn variable_of(&mut self, ty: TypeExpr) -> Parse<VariableDeclaration> {
        let name = self.name("the name of a variable")?;
        let init = if self.eat(Punct::Assign) { Some(self.expression()?) } else { None };
        // The name is visible behind its own initialiser only.
        self.scopes.declare(&name.name, Meaning::Variable);
        Ok(VariableDeclaration { ty, name, init })
    }

    /// `(arguments) name;` or `(arguments) name = { .. };` behind a type.
    pub(super) fn instance(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
        ty: TypeExpr,
    ) -> Parse<Declaration> {
        if !matches!(ty.kind, TypeExprKind::Named { .. }) {
            let message = "only externs, parsers, controls and packages can be instantiated";
            self.report(Diagnostic::error(ty.span, message).label("this type has no constructor"));
            return Err(Abandoned);
        }
        let (arguments, _) = self.arguments()?;
        let name = self.name("the name of an instance")?;
        let initializer =
            if self.eat(Punct::Assign) { Some(self.object_initializer()?) } else { None };
        self.scopes.declare(&name.name, Meaning::Object);
        self.semicolon("behind an instantiation")?;
        let instance = Instantiation { ty, arguments, name, initializer };
        let kind = DeclarationKind::Instantiation(instance);
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// `const T x = e;`, annotations read.
    pub(super) fn constant(
        &mut self,
        start: Span,
        annotations: Vec<Annotation>,
    ) -> Parse<Declaration> {
        self.bump();
        let ty = self.type_ref()?;
        let name = self.name("the name of a constant")?;
        if !self.is(Punct::Assign) {
            let message =
                format!("expected '=' and the constant's value, found {}", self.describe());
            self.report(Diagnostic::error(self.span(), message));
            return Err(Abandoned);
        }
        self.bump();
        let value = self.expression()?;
        self.scopes.declare(&name.name, Meaning::Object);
        self.semicolon("behind the declaration of a constant")?;
        let kind = DeclarationKind::Constant { ty, name, value };
        Ok(Declaration { annotations, kind, span: self.since(start) })
    }

    /// `if`, with all that hangs on it by `else if` in one loop.
    fn if_statement(&mut self) -> Parse<StatementKind> {
        let around = self.else_ifs;
        let result = self.if_branches();
        self.else_ifs = around;
        result
    }

    fn if_branches(&mut self) -> Parse<StatementKind> {
        let mut branches: Vec<(Span, Expression, Statement)> = Vec::new();
        let mut last = None;
        loop {
            let start = self.bump();
            self.expect(Punct::ParenOpen, "behind 'if'")?;
            let condition = self.expression()?;
            self.close_condition("behind the condition of 'if'")?;
            let then = self.branch("'if'")?;
            branches.push((start, condition, then));
            if !self.eat_keyword(Keyword::Else) {
                break;
            }
            if !self.is_keyword(Keyword::If) {
                last = Some(self.branch("'else'")?);
                break;
            }
            self.else_ifs += 1;
            if self.else_ifs > MAX_ELSE_IFS {
                let message = format!("more than {MAX_ELSE_IFS} 'else if' in a row");
                self.give_up(Diagnostic::error(self.span(), message));
                return Err(Abandoned);
            }
        }
        let mut kind = StatementKind::Empty;
        while let Some((start, condition, then)) = branches.pop() {
            let then = Box::new(then);
            let otherwise = last.take().map(Box::new);
            kind = StatementKind::If { condition, then, otherwise };
            if !branches.is_empty() {
                let span = self.since(start);
                last = Some(Statement {
                    kind: std::mem::replace(&mut kind, StatementKind::Empty),
                    span,
                });
            }
        }
        Ok(kind)
    }

    /// A statement that depends on a condition or is repeated: no declaration.
    pub(super) fn branch(&mut self, owner: &str) -> Parse<Statement> {
        self.scopes.push();
        let result = self.statement();
        self.scopes.pop();
        let statement = result?;
        if let StatementKind::Declaration(_) = statement.kind {
            let message = format!("a declaration cannot depend on {owner}");
            let help = "put braces around it";
            self.complain(Diagnostic::error(statement.span, message).help(help));
        }
        Ok(statement)
    }

    fn switch_statement(&mut self) -> Parse<StatementKind> {
        self.bump();
        self.expect(Punct::ParenOpen, "behind 'switch'")?;
        let expression = self.expression()?;
        self.expect(Punct::ParenClose, "behind the expression of 'switch'")?;
        self.expect(Punct::BraceOpen, "before the cases of 'switch'")?;
        let mut cases = Vec::new();
        self.braced("'switch'", |p| {
            // Behind a label without a block another label has to follow.
            let follows_label = cases.last().is_some_and(|c: &SwitchCase| c.body.is_none());
            if follows_label && p.statement_follows() {
                return Err(p.case_without_block(p.span()));
            }
            let label = p.switch_label()?;
            if follows_label && p.statement_goes_on() {
                return Err(p.case_without_block(label.span));
            }
            p.expect(Punct::Colon, "behind the label of a case")?;
            let has_body = p.is(Punct::BraceOpen) || p.is(Punct::At);
            let body = if has_body { Some(p.annotated_block("a case")?) } else { None };
            cases.push(SwitchCase { label, body });
            Ok(())
        })?;
        Ok(StatementKind::Switch { expression, cases })
    }

    /// `switchLabel`: `default` or an expression that does not begin with a brace.
    fn switch_label(&mut self) -> Parse<Expression> {
        if self.is_keyword(Keyword::Default) {
            return Ok(Expression { kind: ExpressionKind::Default, span: self.bump() });
        }
        if self.is(Punct::BraceOpen) {
            return Err(self.expected("the label of a case"));
        }
        self.expression()
    }
}

/// The operator within a compound assignment.
pub(super) fn compound_operator(punct: Punct) -> Option<BinaryOp> {
    Some(match punct {
        Punct::PlusAssign => BinaryOp::Add,
        Punct::MinusAssign => BinaryOp::Sub,
        Punct::StarAssign => BinaryOp::Mul,
        Punct::SlashAssign => BinaryOp::Div,
        Punct::PercentAssign => BinaryOp::Mod,
        Punct::ShlAssign => BinaryOp::Shl,
        Punct::ShrAssign => BinaryOp::Shr,
        Punct::AndAssign => BinaryOp::And,
        Punct::OrAssign => BinaryOp::Or,
        Punct::XorAssign => BinaryOp::Xor,
        Punct::SatPlusAssign => BinaryOp::SatAdd,
        Punct::SatMinusAssign => BinaryOp::SatSub,
        _ => return None,
    })
}
